import { type Text, text } from '@kontor/protocol';
import { createReader, customLimits, type DocumentProblem, matches, present } from './document-reader.ts';

/** The looks of a badge. */
export const choiceLooks = ['mute', 'ok', 'warn', 'bad', 'info'] as const;

export interface CustomChoice {
  readonly value: string;
  readonly label: string;
  readonly look?: (typeof choiceLooks)[number];
}

const choiceValue = /^[a-z][a-z0-9_]{0,62}$/;

export function readChoices(
  at: string,
  given: readonly unknown[],
  problems: DocumentProblem[],
): readonly CustomChoice[] {
  const say = (message: Text) => void problems.push({ at, message });
  const { choices: max, label: maxLabel } = customLimits;
  if (given.length === 0) say(text('Add a choice.'));
  if (given.length > max) say(text('A field has at most {max} choices.', { max }));
  const seen = new Set<string>();
  return given.slice(0, max).map((value) => {
    const read = createReader(at, value, problems);
    const choice = present<CustomChoice>({
      value:
        read.checked<string>('value', 'lower-case letters, digits and _', (found) => matches(found, choiceValue)) ?? '',
      label: read.line('label', maxLabel) ?? '',
      look: read.checked('look', `one of ${choiceLooks.join(', ')}`, (found) => choiceLooks.includes(found as 'ok')),
    });
    read.end();
    if (choice.label === '') say(text('Every choice needs a label.'));
    if (seen.has(choice.value)) say(text('Two choices have the value "{value}".', { value: choice.value }));
    seen.add(choice.value);
    return choice;
  });
}
