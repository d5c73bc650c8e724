import { anyModel, type Env, KontorError, recordTextMistake, text, ValidationError } from '@kontor/addon';

interface Written {
  readonly subject: string;
  readonly body: string;
}

/** Refuses templates that name fields which their author cannot insert: they would only fail in front of a customer. */
export async function checkTemplates(env: Env, ids: readonly number[]): Promise<void> {
  const paths = [
    'model',
    'subject',
    'body',
    'translation_ids.subject',
    'translation_ids.body',
    'translation_ids.lang',
  ] as const;
  for (const template of await env.model('mail.template').load(ids, [...paths])) {
    await checkModel(env, template.model);
    checkWritten(env, template.model, template);
    for (const other of template.translation_ids) checkWritten(env, template.model, other);
  }
}

export async function checkTranslations(env: Env, ids: readonly number[]): Promise<void> {
  const translations = env.model('mail.template.translation');
  for (const written of await translations.load(ids, ['subject', 'body', 'template_id.model'])) {
    checkWritten(env, written.template_id.model, written);
  }
}

/** Templates are about records that their author may read. */
export async function checkModel(env: Env, model: string): Promise<void> {
  if (!env.registry.models.has(model)) {
    throw new ValidationError({ model: [text('There is no model {model}.', { model })] });
  }
  try {
    await anyModel(env, model).search([['id', '=', 0]], { limit: 1 });
  } catch (error) {
    if (error instanceof KontorError) throw new ValidationError({ model: [error.message] });
    throw error;
  }
}

/** Throws with the mistake at its field. */
export function checkWritten(env: Env, model: string, { subject, body }: Written): void {
  const mistakes = Object.entries({ subject, body }).flatMap(([field, written]) => {
    const mistake = recordTextMistake(env, model, written);
    return mistake === null ? [] : [[field, [mistake]] as const];
  });
  if (mistakes.length > 0) throw new ValidationError(Object.fromEntries(mistakes));
}
