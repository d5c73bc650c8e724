import { definePart, wordsIn } from '@kontor/kernel';
import { type Env, looseEnv, openPath } from '@kontor/orm';
import { type ActionCall, type CallsOf, defineModel, type FieldsOf, fields, open } from '@kontor/orm/author';
import { KontorError, text, UserError, ValidationError } from '@kontor/protocol';
import { erasePersonal, fateOf } from './erase-personal.ts';
import { exportPersonal } from './export-personal.ts';
import { findPersonal, readPersonal, type Subject } from './find-personal.ts';
import type { ListedFile } from './list-files.ts';
import { fileFields, personalFields } from './personal-fields.ts';

/**
 * The group that handles requests about personal data.
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
    help: 'Others share it: it is erased in the records below and kept where it may belong to others.',
  }),
  finding_ids: fields.one2many('sys.personal.finding', 'request_id', { label: 'Stored data', readonly: true }),
  file_ids: fields.one2many('sys.personal.file', 'request_id', { label: 'Files that may be theirs' }),
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
      help: 'The contact itself, part of it, linked to it, with the same e-mail or phone, or mentioning it.',
    },
  ),
  held: fields.text({ label: 'Content' }),
  fate: fields.selection({ emptied: 'Emptied', deleted: 'Deleted' }, { label: 'When erased' }),
};
interface SysPersonalFinding extends FieldsOf<typeof findingFields> {}

const listedFields = {
  request_id: fields.many2one('sys.personal.request', { required: true, ondelete: 'cascade', readonly: true }),
  model: fields.char({ required: true, size: 128, readonly: true }),
  res_id: fields.integer({ required: true, readonly: true, label: 'Record' }),
  name: fields.char({ size: 255, readonly: true, personal: false, label: 'File' }),
  record: fields.char({ size: 500, readonly: true }),
  reason: fields.selection(
    { linked: 'Linked', added: 'Added', named: 'Name', text: 'Text' },
    {
      readonly: true,
      label: 'Found by',
      help: 'It is attached to a record of the person, was added by the person, or mentions the person in its name or text.',
    },
  ),
  is_theirs: fields.boolean({
    label: 'Theirs',
    help: 'Selected files are exported and deleted by Erase. The rest stays, without the name of the person.',
  }),
};
interface SysPersonalFile extends FieldsOf<typeof listedFields> {}
interface SysPersonalRequestCalls extends CallsOf<typeof sysPersonalRequest> {}
interface SysPersonalFileCalls extends CallsOf<typeof sysPersonalFile> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.personal.request': SysPersonalRequest;
    'sys.personal.finding': SysPersonalFinding;
    'sys.personal.file': SysPersonalFile;
  }
  interface Calls {
    'sys.personal.request': SysPersonalRequestCalls;
    'sys.personal.file': SysPersonalFileCalls;
  }
}

const eraseAsks = {
  name: fields.char({
    required: true,
    size: 500,
    label: 'Name, to be sure',
    help: 'The name of the person as shown above.',
  }),
};

/**
 * A request for access to, export or erasure of personal data. It is deleted after a day; the audit trail records that
 * it was made.
 */
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

/** A file on a record of others that may belong to the person: the user who handles the request reviews it. */
export const sysPersonalFile = defineModel('sys.personal.file', {
  label: 'File that may be personal',
  order: 'id',
  transient: true,
  fields: listedFields,
  actions: {
    look: {
      label: 'Review',
      icon: 'download',
      needs: 'read',
      groups: [privacyGroup],
      single: 'Choose one file.',
      run: async ({ records }) => {
        const { id, request_id: request } = await records.only('request_id');
        return openPath(`${exportPath(request.id)}?file=${id}`);
      },
    },
  },
});

export const personalPart = definePart({
  name: 'personal',
  models: [sysPersonalRequest, sysPersonalFinding, sysPersonalFile],
});

/**
 * The route of the export file of a request.
 * @example
 * const route = { method: 'GET', path: exportRoute, auth: 'session' };
 */
export const exportRoute = '/web/personal-data/:id(^\\d{1,9}).zip';
const exportPath = (id: number) => `/web/personal-data/${id}.zip`;

/**
 * Opens the personal data of a contact, to show, export or erase them, for members of the privacy group.
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
  // As the server: records that the user may not open also contain data of the person.
  const server = env.sudo();
  const { found, shared, files, isPartial } = await findPersonal(server, subject);
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
  const { say } = wordsIn(env, env.actor.lang);
  const unsearched = isPartial
    ? [
        say(
          text(
            'Other companies and texts are not searched for e-mail, phone and name: you do not have access to all companies.',
          ),
        ),
      ]
    : [];
  const request = {
    ...{ model: subject.model, res_id: subject.id, shared: [...shared, ...unsearched].join('\n') || null },
    name: findings[0]?.record ?? '',
    finding_ids: findings.filter(({ held }) => held !== '').map((finding) => ['create', finding]),
    file_ids: (await shownFiles(server, files)).map((file) => ['create', file]),
  };
  return env.outside(false).model('sys.personal.request').create(request);
}

async function shownFiles(server: Env, files: readonly ListedFile[]) {
  const names = new Map<string, string>();
  for (const model of new Set(files.flatMap(({ on }) => (on ? [on.model] : [])))) {
    const ids = files.flatMap(({ on }) => (on?.model === model ? [on.id] : []));
    const rows = await server.model(model.name).searchRead([['id', 'in', ids]], ['display_name']);
    for (const { id, display_name: name } of rows) names.set(`${model.name}/${id}`, `${model.label}: ${name}`);
  }
  return files.map(({ model, id, name, reason, on }) => ({
    ...{ model: model.name, res_id: id, name, reason },
    record: (on && names.get(`${on.model.name}/${on.id}`)?.slice(0, 500)) ?? null,
  }));
}

/** The selected files. Whether they are listed is checked again when they are used. */
async function theirFiles(env: Env, request: number): Promise<readonly Subject[]> {
  const rows = await env.model('sys.personal.file').searchRead(
    [
      ['request_id', '=', request],
      ['is_theirs', '=', true],
    ],
    ['model', 'res_id'],
  );
  return rows.map(({ model, res_id: id }) => ({ model: model as string, id: id as number }));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

async function eraseAsked({ env: typed, records, answers }: ActionCall<'sys.personal.request', typeof eraseAsks>) {
  const env = looseEnv(typed);
  checkGroup(env);
  const { id, model, res_id: resId, name } = await records.only('model', 'res_id', 'name');
  if (plain(answers.name) !== plain(name ?? '')) {
    throw new ValidationError({ name: ['This is not the name shown above.'] });
  }
  const theirs = await theirFiles(env, id);
  // Including requests of other users, and first: what they were shown is personal data.
  const requests = env.sudo().model('sys.personal.request');
  await requests.unlink(
    await requests.search([
      ['model', '=', model],
      ['res_id', '=', resId],
    ]),
  );
  await erasePersonal(env, { model, id: resId }, theirs);
  return openPath(`/web?model=${encodeURIComponent(model)}&view_type=form&id=${resId}`);
}

function plain(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/**
 * For a route: the file of one of the caller's requests, and its records for the audit trail. With `listed`, one of the files to
 * review, by the id of its line.
 * @example
 * export async function sizeOf(env: Env, requestId: number) {
 *   const { body } = await personalFile(env, requestId);
 *   return body.length;
 * }
 */
export async function personalFile(
  given: object,
  id: number,
  listed: number | null = null,
): Promise<{ name: string; body: Buffer; subject: Subject }> {
  const env = looseEnv(given as Parameters<typeof looseEnv>[0]);
  checkGroup(env);
  const [request] = await env.model('sys.personal.request').read([id], ['model', 'res_id']);
  if (!request) throw gone();
  if (listed !== null) return readListed(env, id, listed);
  const subject = { model: request.model as string, id: request.res_id as number };
  return {
    name: 'personal-data.zip',
    body: await exportPersonal(env, subject, await theirFiles(env, id)),
    subject,
  };
}

function gone(): UserError {
  return new UserError('This no longer exists. Open the personal data of the person again.');
}

async function readListed(env: Env, request: number, line: number) {
  const [row] = await env.model('sys.personal.file').searchRead(
    [
      ['id', '=', line],
      ['request_id', '=', request],
    ],
    ['model', 'res_id'],
  );
  const subject = { model: String(row?.model), id: Number(row?.res_id) };
  const model = env.registry.models.get(subject.model);
  const file = model && fileFields(model);
  if (!file) throw gone();
  // As the server: the user has to see what it is, even on a record that they may not open.
  const [read] = await env
    .sudo()
    .model(subject.model)
    .searchRead([['id', '=', subject.id]], [file.name.name, file.data.name]);
  if (!read) throw gone();
  const body = Buffer.from(String(read[file.data.name] ?? ''), 'base64');
  return { name: String(read[file.name.name] ?? 'file'), body, subject };
}
