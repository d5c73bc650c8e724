import { definePart } from '@kontor/kernel';
import { type Env, looseEnv, openPath } from '@kontor/orm';
import { type ActionCall, defineModel, type FieldsOf, fields, open } from '@kontor/orm/author';
import { KontorError, UserError, ValidationError } from '@kontor/protocol';
import { erasePersonal, fateOf } from './erase-personal.ts';
import { exportPersonal } from './export-personal.ts';
import { findPersonal, readPersonal, type Subject } from './find-personal.ts';
import { personalFields } from './personal-fields.ts';

/**
 * Who sees to requests of people about their data.
 * @example
 * const seesPersonalData = { label: 'Personal data', groups: [privacyGroup] };
 */
export const privacyGroup = 'base.group_privacy';

const requestFields = {
  name: fields.char({ size: 500, readonly: true, label: 'Person' }),
  model: fields.char({ required: true, size: 128, readonly: true }),
  res_id: fields.integer({ required: true, readonly: true, label: 'Record' }),
  shared: fields.text({
    readonly: true,
    label: 'Shared with others',
    help: 'Others have it as well: it is erased in the records below and stays where it may be theirs.',
  }),
  finding_ids: fields.one2many('sys.personal.finding', 'request_id', { label: 'What is held' }),
};
interface SysPersonalRequest extends FieldsOf<typeof requestFields> {}

const findingFields = {
  request_id: fields.many2one('sys.personal.request', { required: true, ondelete: 'cascade' }),
  model_label: fields.char({ size: 200, label: 'Kind of record' }),
  record: fields.char({ size: 500 }),
  why: fields.selection(
    {
      itself: 'Itself',
      part: 'Part',
      relation: 'Linked',
      address: 'Same address',
      about: 'Said',
    },
    {
      label: 'Found as',
      help: 'The contact itself, a part of it, linked with it, of the same e-mail or phone, or said about it.',
    },
  ),
  held: fields.text({ label: 'What it holds' }),
  fate: fields.selection({ emptied: 'Emptied', deleted: 'Deleted' }, { label: 'When erased' }),
};
interface SysPersonalFinding extends FieldsOf<typeof findingFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.personal.request': SysPersonalRequest;
    'sys.personal.finding': SysPersonalFinding;
  }
}

const eraseAsks = {
  name: fields.char({
    required: true,
    size: 500,
    label: 'Name, to be sure',
    help: 'The name of the person as it stands above.',
  }),
};

/** What a person asked to be told of, given or erased. It is gone after a day: that it was asked is in the audit trail. */
export const sysPersonalRequest = defineModel('sys.personal.request', {
  label: 'Personal data',
  transient: true,
  fields: requestFields,
  actions: {
    export: {
      label: 'Export',
      icon: 'download',
      needs: 'read',
      groups: [privacyGroup],
      single: 'Choose one person.',
      run: async ({ records }) => openPath(exportPath((await records.only()).id)),
    },
    erase: {
      label: 'Erase',
      icon: 'trash-2',
      needs: 'read',
      groups: [privacyGroup],
      single: 'Choose one person.',
      asks: eraseAsks,
      run: eraseAsked,
    },
  },
});

export const sysPersonalFinding = defineModel('sys.personal.finding', {
  label: 'Record with personal data',
  order: 'id',
  displayName: '{record}',
  transient: true,
  fields: findingFields,
});

export const personalPart = definePart({ name: 'personal', models: [sysPersonalRequest, sysPersonalFinding] });

/**
 * Where a person in charge gets the file of a request.
 * @example
 * const route = { method: 'GET', path: exportRoute, auth: 'session' };
 */
export const exportRoute = '/web/personal-data/:id(^\\d{1,9}).zip';
const exportPath = (id: number) => `/web/personal-data/${id}.zip`;

/**
 * What is held of a person, to be shown, exported or erased: opens it for whoever is in charge of personal data.
 *
 * @example
 * const personalData = ({ records }: ActionCall<'core.partner'>, env: Env) => openPersonalData(env, 'core.partner', records.ids[0] ?? 0);
 */
export async function openPersonalData(given: object, model: string, id: number) {
  const env = looseEnv(given as Parameters<typeof looseEnv>[0]);
  checkGroup(env);
  const request = await makeRequest(env, { model, id });
  return open('sys.personal.request', { id: request });
}

function checkGroup(env: Env): void {
  if (!env.actor.groups.has(privacyGroup)) throw new KontorError('ACCESS_DENIED');
}

async function makeRequest(env: Env, subject: Subject): Promise<number> {
  // As the server: records that the person in charge may not open hold something of the person too.
  const server = env.sudo();
  const { found, shared } = await findPersonal(server, subject);
  const records = await readPersonal(server, found);
  const findings = records.map((each) => ({
    model_label: each.model.label,
    record: String(each.values.display_name ?? '').slice(0, 500),
    why: each.why,
    fate: fateOf(each),
    held: personalFields(each.model)
      .filter(({ name, spec }) => spec.secret || !isEmpty(each.values[name]))
      .map(({ label }) => label)
      .join(', '),
  }));
  const request = {
    ...{ model: subject.model, res_id: subject.id, shared: shared.join('\n') || null },
    name: findings[0]?.record ?? '',
    finding_ids: findings.filter(({ held }) => held !== '').map((finding) => ['create', finding]),
  };
  return env.outside(false).model('sys.personal.request').create(request);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

async function eraseAsked({ env: typed, records, answers }: ActionCall<'sys.personal.request', typeof eraseAsks>) {
  const env = looseEnv(typed);
  checkGroup(env);
  const { id, model, res_id: resId, name } = await records.only('model', 'res_id', 'name');
  if (plain(answers.name) !== plain(name ?? '')) {
    throw new ValidationError({ name: ['This is not the name that stands above.'] });
  }
  await erasePersonal(env, { model, id: resId });
  // Also of others who looked: what they were shown is the person's.
  const server = env.sudo().model('sys.personal.request');
  await server.unlink(
    await server.search([
      ['model', '=', model],
      ['res_id', '=', resId],
      ['id', '!=', id],
    ]),
  );
  await server.unlink([id]);
  return openPath(`/web?model=${encodeURIComponent(model)}&view_type=form&id=${resId}`);
}

function plain(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/**
 * For a route: the file of a request of the caller's own, and what it is of, for the audit trail.
 * @example
 * export async function sizeOf(env: Env, requestId: number) {
 *   const { zip } = await personalFile(env, requestId);
 *   return zip.length;
 * }
 */
export async function personalFile(given: object, id: number): Promise<{ zip: Buffer; subject: Subject }> {
  const env = looseEnv(given as Parameters<typeof looseEnv>[0]);
  checkGroup(env);
  const [request] = await env.model('sys.personal.request').read([id], ['model', 'res_id']);
  if (!request) throw new UserError('This is gone. Open the personal data of the person again.');
  const subject = { model: request.model as string, id: request.res_id as number };
  return { zip: await exportPersonal(env, subject), subject };
}
