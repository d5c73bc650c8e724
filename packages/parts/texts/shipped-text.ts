import { languageChain, sourceLanguage } from '@kontor/kernel';
import { type Registry, type TextDefinition, type TextPart, textParts } from '@kontor/orm';
import { placeholderMistake, type Text, type Translate, text } from '@kontor/protocol';

/** A text with its placeholders; null for a part that it does not have. The body's paragraphs are separated by empty lines. */
export type WrittenText = { readonly [Part in TextPart]: string | null };

/** A changed text, with what was shipped when it was changed. */
export interface EditedText extends WrittenText {
  readonly shipped: unknown;
}

/** A text as its addon ships it, in a language. */
export function shippedText(
  registry: Pick<Registry, 'wordsIn'>,
  definition: TextDefinition,
  lang: string,
): WrittenText {
  const module = definition.key.split('.')[0];
  const translate: Translate = registry.wordsIn(lang);
  const say = (words: string | null) => (words === null ? null : translate(words, module));
  return {
    subject: say(definition.subject),
    body: definition.body.map(say).join('\n\n'),
    button: say(definition.button),
    note: say(definition.note),
  };
}

/**
 * A changed text with the parts that the addon added since. A part that was shipped when the text was changed and is empty now was
 * emptied by whoever changed it.
 */
export function withAddedParts(edited: EditedText, shipped: WrittenText): WrittenText {
  const before = edited.shipped as Partial<WrittenText> | null;
  const part = (name: TextPart) => edited[name] ?? (before === null || before[name] ? null : shipped[name]);
  return Object.fromEntries(textParts.map((name) => [name, part(name)])) as WrittenText;
}

/** Whether the addon has no translation of the text, so that readers of the language get the English one. */
export function isEnglishIn(registry: Pick<Registry, 'wordsIn'>, definition: TextDefinition, lang: string): boolean {
  const said = shippedText(registry, definition, lang);
  const english = shippedText(registry, definition, sourceLanguage);
  return (Object.keys(said) as TextPart[]).every((part) => said[part] === english[part]);
}

/** The languages whose edited texts a reader gets, the preferred one first. */
export function editedLanguages(
  registry: Pick<Registry, 'wordsIn'>,
  definition: TextDefinition,
  lang: string,
): readonly string[] {
  const chain = languageChain(lang);
  return isEnglishIn(registry, definition, lang) ? [...new Set([...chain, sourceLanguage])] : chain;
}

const longest: Readonly<Record<TextPart, number>> = { subject: 200, body: 10_000, button: 60, note: 1_000 };

/** What is wrong with an edited text, by its part. */
export function textMistakes(
  { values, ...shipped }: TextDefinition,
  written: WrittenText,
): Partial<Record<TextPart, Text>> {
  const known = Object.keys(values);
  const mistakes: Partial<Record<TextPart, Text>> = {};
  for (const part of Object.keys(longest) as TextPart[]) {
    if (shipped[part] === null) continue;
    const given = written[part]?.trim() ?? '';
    const most = longest[part];
    const mistake =
      given === '' && part !== 'note' && shipped[part]?.length !== 0
        ? text('Write a text, or reset it to the shipped one.')
        : given.length > most
          ? text('At most {most} characters.', { most })
          : placeholderMistake(given, known);
    if (mistake) mistakes[part] = mistake;
  }
  const all = Object.values(written).join('\n');
  const absent = known.filter((name) => values[name]?.needed && !all.includes(`{${name}}`)).map((name) => `{${name}}`);
  if (absent.length > 0) mistakes.body ??= text('The text must contain {names}.', { names: absent.join(', ') });
  return mistakes;
}
