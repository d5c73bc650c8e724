import type { CustomiseData, CustomisePreview } from '@kontor/protocol';
import { request } from '../../../data/request.ts';
import { showToast } from '../../../data/toasts.ts';
import { expireAll } from '../../../data/workspace-cache.ts';
import { t } from '../../../i18n/messages.ts';
import { whileBusy } from '../../../state/idle.ts';
import type { Step } from './places.ts';

/** Translations by language and text. */
export type Words = CustomiseData['words'];

/** One change of the author. */
export interface Edit {
  readonly step: Step;
  readonly words?: Words | undefined;
}

/** The change that the server applies. */
export function changesOf(view: string, model: string, edits: readonly Edit[]): readonly object[] {
  if (edits.length === 0) return [];
  const words: Record<string, Record<string, string>> = {};
  for (const { words: said = {} } of edits)
    for (const [lang, texts] of Object.entries(said)) words[lang] = { ...words[lang], ...texts };
  return [{ do: 'edit_view', view, model, steps: edits.map(({ step }) => step), words }];
}

/** Publishes the edits, or adds them to the draft. */
export async function sendEdits(
  step: 'save' | 'publish',
  { base, draft, view, workspace }: CustomisePreview,
  edits: readonly Edit[],
): Promise<void> {
  const changes = changesOf(view, workspace.model, edits);
  await whileBusy(request('/web/customise', { json: { do: step, base, draft, changes } }));
  showToast({
    kind: 'success',
    title: step === 'publish' ? t('Published for everybody') : t('Added to the draft'),
  });
  expireAll();
}
