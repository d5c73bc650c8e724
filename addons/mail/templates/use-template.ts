import {
  anyModel,
  bestLanguage,
  checkRight,
  type Env,
  fillRecordText,
  KontorError,
  recordTextValues,
  text,
} from '@kontor/addon';

/** A template as a message about a record. */
export interface FilledTemplate {
  readonly subject: string;
  /** Light Markdown. */
  readonly body: string;
  readonly lang: string;
}

export interface OfferedTemplate {
  readonly id: number;
  readonly name: string;
  readonly isShared: boolean;
}

const mostOffered = 200;

/** The templates that a person may use for records of a model: their own first. */
export async function templatesFor(env: Env, model: string): Promise<readonly OfferedTemplate[]> {
  const found = await env.model('mail.template').searchRead(
    [
      ['model', '=', model],
      ['active', '=', true],
    ],
    ['name', 'user_id'],
    { order: 'user_id, name, id', limit: mostOffered },
  );
  return found.map(({ id, name, user_id: owner }) => ({ id, name, isShared: owner === null }));
}

/**
 * A template with the values of a record, in the language of its contact. Template and record are read with the rights of the caller:
 * fields that they may not read are empty.
 * ```ts
 * const { subject, body } = await fillTemplate(env, { template: 5, model: 'sale.order', id: 7 });
 * ```
 */
export async function fillTemplate(
  env: Env,
  {
    template: templateId,
    model,
    id,
    lang,
  }: {
    readonly template: number;
    readonly model: string;
    readonly id: number;
    /** Default: that of the record's contact. */
    readonly lang?: string | null;
  },
): Promise<FilledTemplate> {
  const paths = [
    'model',
    'lang',
    'subject',
    'body',
    'translation_ids.lang',
    'translation_ids.subject',
    'translation_ids.body',
  ] as const;
  const [template] = await env.model('mail.template').load([templateId], [...paths]);
  if (!template) throw new KontorError('NOT_FOUND', text('This template no longer exists.'));
  if (template.model !== model) {
    const label = env.registry.models.get(template.model)?.label ?? template.model;
    throw new KontorError('INVALID_ARGS', text('Choose a record of this kind: {label}.', { label }), {
      field: 'model',
    });
  }
  await checkRight(env, model, [id], 'read');
  const written = [template, ...template.translation_ids];
  const wanted = lang ?? (await contactLanguage(env, model, id));
  const best = bestLanguage(
    written.map((each) => each.lang),
    wanted,
  );
  const said = written.find((each) => each.lang === best) ?? template;
  const values = await recordTextValues(env, { model, ids: [id], lang: said.lang }, [said.subject, said.body]);
  const own = values.get(id) ?? new Map<string, string | null>();
  return {
    subject: fillRecordText(said.subject, emptyIn(own)).replaceAll(/\s+/g, ' ').trim(),
    body: fillRecordText(said.body, withoutLinks(own)),
    lang: said.lang,
  };
}

/** Strangers write their own names: a value becomes neither a link with another address than it shows, nor a mention. */
function withoutLinks(values: ReadonlyMap<string, string | null>): ReadonlyMap<string, string | null> {
  return new Map([...values].map(([path, value]) => [path, value?.replaceAll('](', '] (') ?? null]));
}

/** In a subject an empty field leaves a gap, not the whole line. */
function emptyIn(values: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> {
  return new Map([...values].map(([path, value]) => [path, value ?? '']));
}

/** The language of the contact of a record; that of the sender if it has none. */
async function contactLanguage(env: Env, model: string, id: number): Promise<string> {
  const isContact = model === 'core.partner';
  const field = env.registry.model(model).fields.get('partner_id');
  if (!isContact && field?.spec.relation !== 'core.partner') return env.actor.lang;
  const path = isContact ? 'lang' : 'partner_id.lang';
  try {
    const [record] = await anyModel(env, model).read([id], [path]);
    return String(record?.[path] ?? env.actor.lang);
  } catch (error) {
    // Contacts are closed to some people.
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return env.actor.lang;
    throw error;
  }
}
