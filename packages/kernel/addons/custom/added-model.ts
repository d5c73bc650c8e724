import { type Text, text } from '@kontor/protocol';
import { createReader, customLimits, type DocumentProblem, externalId, matches, present } from './document-reader.ts';

/** Names of added models begin with `x_` and have no dot; those of addons have one. Tables and names of lists are derived from them. */
const addedName = /^x_[a-z][a-z0-9_]{0,37}$/;
const menuName = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const personName = /^(?:create_uid|x_[a-z0-9_]{1,57})$/;
const fieldName = /^(?:name|x_[a-z0-9_]{1,57})$/;

export function isAddedModel(name: string): boolean {
  return addedName.test(name);
}

/** What a group may do with the records of an added model; its members can always read them. */
export interface AddedRight {
  readonly group: string;
  /**
   * Its members see and change only records with them in this link to people: `create_uid` or a field of the model. Members of another group without
   * it see all.
   */
  readonly only?: string;
  readonly write?: boolean;
  readonly create?: boolean;
  readonly unlink?: boolean;
}

/**
 * A model that was added in the browser. Its own fields, states and moves are in `extends` under its name, like those that are added to
 * models of addons.
 */
export interface AddedModel {
  /** One record: "Machine". */
  readonly label: string;
  /** Many of them, on the menu: "Machines". */
  readonly plural: string;
  readonly icon?: string;
  /** The label of the field `name`, if it is not "Name". */
  readonly title?: string;
  /** The names of its fields in the order of its screens. Objects in the database have none. */
  readonly shown: readonly string[];
  /** Records get numbers such as `EQ-0001`. */
  readonly number?: { readonly prefix: string; readonly digits: number };
  /** Each record belongs to a company, and other companies do not see it. */
  readonly company?: boolean;
  /** Its records have a discussion, with the changes of tracked fields. */
  readonly chatter?: boolean;
  /** Its records can be archived. */
  readonly archive?: boolean;
  /** Its records are lines of another model. */
  readonly partOf?: { readonly model: string; readonly label: string };
  /** The field with the columns of its board. */
  readonly board?: string;
  /** The date of its calendar. */
  readonly calendar?: string;
  /** The menu that its own is under; without it, the model is an app of its own. */
  readonly menu?: string;
  readonly access: readonly AddedRight[];
  /** It keeps its records, and no menu leads to it. */
  readonly retired?: boolean;
}

export type AddedModels = Readonly<Record<string, AddedModel>>;

/** The field of the other model with its lines. */
export function linesField(model: string): string {
  return `${model}_ids`;
}

/** The line's link to what it is part of. */
export const wholeField = 'parent_id';

export function readAddedModel(name: string, value: unknown, problems: DocumentProblem[]): AddedModel {
  const at = name.slice(0, 80);
  const read = createReader(at, value, problems);
  const say = (message: Text) => read.fail(at, message);
  if (!isAddedModel(name))
    say(text('The name of a model begins with x_ and a letter, and has lower-case letters, digits and _, at most 40.'));
  const line = (key: string) => read.line(key, customLimits.label);
  const isShown = (found: unknown) =>
    Array.isArray(found) && found.length <= customLimits.fields + 1 && found.every((each) => matches(each, fieldName));
  const model = present<AddedModel>({
    label: line('label') ?? '',
    plural: line('plural') ?? '',
    icon: read.checked('icon', 'the name of an icon', (found) => matches(found, /^[a-z][a-z0-9-]{0,63}$/)),
    title: line('title'),
    shown: read.checked<readonly string[]>('shown', 'a list of its fields', isShown) ?? [],
    number: read.checked('number', 'a prefix of at most 20 characters and 1 to 10 digits', isNumber),
    company: read.flag('company'),
    chatter: read.flag('chatter'),
    archive: read.flag('archive'),
    partOf: read.checked('partOf', 'a model and the label of its lines', isPart),
    board: read.checked('board', 'one of its fields', (found) => matches(found, fieldName)),
    calendar: read.checked('calendar', 'one of its fields', (found) => matches(found, fieldName)),
    menu: read.checked('menu', 'the external id of a menu', (found) => matches(found, menuName)),
    access: read.list('access', (right) => readRight(at, right, problems)),
    retired: read.flag('retired'),
  });
  read.end();
  if (model.label === '') say(text('Give it a name for one record.'));
  if (model.plural === '') say(text('Give it a name for several records.'));
  if (model.access.length === 0) say(text('Choose at least one group that can see its records.'));
  if (model.access.length > customLimits.groups)
    say(text('At most {max} groups can have rights.', { max: customLimits.groups }));
  const groups = model.access.map(({ group }) => group);
  const twice = groups.find((group, index) => groups.indexOf(group) !== index);
  if (twice) say(text('The group "{group}" is named twice.', { group: twice }));
  if (model.partOf && model.company) say(text('Lines belong to the company of what they are part of.'));
  if (model.partOf && model.access.some(({ only }) => only)) say(text('Lines are seen with what they are part of.'));
  return model;
}

function readRight(at: string, value: unknown, problems: DocumentProblem[]): AddedRight {
  const read = createReader(at, value, problems);
  const right = present<AddedRight>({
    group:
      read.checked<string>('group', 'a group such as base.group_user', (found) => matches(found, externalId)) ?? '',
    only: read.checked('only', 'create_uid or a field with a person', (found) => matches(found, personName)),
    write: read.flag('write'),
    create: read.flag('create'),
    unlink: read.flag('unlink'),
  });
  read.end();
  return right;
}

function isNumber(value: unknown): boolean {
  const { prefix, digits, ...others } = (value ?? {}) as { prefix?: unknown; digits?: unknown };
  return (
    typeof prefix === 'string' &&
    /^[^\p{Cc}]{0,20}$/u.test(prefix) &&
    Number.isInteger(digits) &&
    (digits as number) >= 1 &&
    (digits as number) <= 10 &&
    Object.keys(others).length === 0
  );
}

function isPart(value: unknown): boolean {
  const { model, label, ...others } = (value ?? {}) as { model?: unknown; label?: unknown };
  const isLabel = typeof label === 'string' && label.trim() !== '' && label.length <= customLimits.label;
  return (
    isLabel &&
    !/\p{Cc}/u.test(label) &&
    matches(model, /^(?:x_[a-z][a-z0-9_]*|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)$/) &&
    Object.keys(others).length === 0
  );
}

/** Its texts that people read. */
export function textsOfModel({ label, plural, title, partOf }: AddedModel): readonly string[] {
  return [label, plural, ...(title ? [title] : []), ...(partOf ? [partOf.label] : [])];
}
