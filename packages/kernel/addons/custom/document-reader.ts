import { type Text, text, ValidationError } from '@kontor/protocol';

export const customLimits = {
  /** Added models. */
  models: 100,
  /** Groups with rights on an added model. */
  groups: 50,
  /** Fields of one model. */
  fields: 200,
  choices: 100,
  /** Added moves, conditions or rules of one model. */
  moves: 100,
  label: 100,
  help: 1000,
  /** Characters of a default. */
  default: 1000,
  /** Steps of one view. */
  steps: 1000,
  /** Characters of the whole document. */
  document: 1_000_000,
} as const;

export const externalId = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;

/** A mistake, and the part of the document that has it: `crm.lead.x_lift`. */
export interface DocumentProblem {
  readonly at: string;
  readonly message: Text;
}

/** All mistakes at once, each at its part. */
export function documentError(problems: readonly DocumentProblem[]): ValidationError {
  const fields = new Map<string, Text[]>();
  for (const { at, message } of problems) fields.set(at, [...(fields.get(at) ?? []), message]);
  return new ValidationError(Object.fromEntries(fields));
}

type Json = Readonly<Record<string, unknown>>;

/** Reads the members of one object, and reports those that nobody asked for. */
export function createReader(at: string, value: unknown, problems: DocumentProblem[]) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const given: Json = isObject ? (value as Json) : {};
  const asked = new Set<string>();
  const fail = (where: string, message: Text) => void problems.push({ at: where, message });
  if (!isObject) fail(at, text('This must be an object.'));
  const take = (name: string): unknown => {
    asked.add(name);
    return Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
  };
  const wrong = (name: string, what: string) => fail(at, text('"{name}" must be {what}.', { name, what }));
  const checked = <T>(name: string, what: string, fits: (found: unknown) => boolean): T | undefined => {
    const found = take(name);
    if (found === undefined || fits(found)) return found as T | undefined;
    wrong(name, what);
    return undefined;
  };
  return {
    fail,
    take,
    checked,
    line: (name: string, max: number) =>
      checked<string>(
        name,
        `a text of 1 to ${max} characters`,
        // Control characters cannot be in XML, and are in no label.
        (found) =>
          typeof found === 'string' && found.trim() !== '' && found.length <= max && !/\p{Cc}/u.test(found.trim()),
      ),
    flag: (name: string) => checked<boolean>(name, 'true or false', (found) => typeof found === 'boolean'),
    map<T>(name: string, each: (key: string, member: unknown) => T): Readonly<Record<string, T>> {
      const found = checked<Json>(name, 'an object', (it) => typeof it === 'object' && !Array.isArray(it)) ?? {};
      return Object.fromEntries(Object.entries(found).map(([key, member]) => [key, each(key, member)]));
    },
    list<T>(name: string, each: (member: unknown, at: string) => T): readonly T[] {
      const found = checked<readonly unknown[]>(name, 'a list', Array.isArray) ?? [];
      return found.map((member, index) => each(member, `${name}.${index + 1}`));
    },
    end() {
      for (const name of Object.keys(given)) {
        if (!asked.has(name)) fail(at, text('Unknown key "{name}".', { name: name.slice(0, 80) }));
      }
    },
  };
}

/** Without the members that are absent. */
export function present<T extends object>(members: { readonly [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** A text of the pattern, short enough for a name or a path. */
export function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && value.length <= 300 && pattern.test(value);
}
