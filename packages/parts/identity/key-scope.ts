import { type KeyScope, methodsOf, rpcMethods } from '@kontor/kernel';
import { didYouMean, parseDomain, type Text, text, ValidationError } from '@kontor/protocol';

/** The scope of a new key, as JSON or as an object. */
export function readScope(given: unknown): KeyScope | null {
  if (given === undefined || given === '') return null;
  const expected = text('A scope is JSON, such as {"sale.order": ["read"]}.');
  const scope = toScope(typeof given === 'string' ? parsed(given, 'scope', expected) : given);
  const methods = Object.values(scope ?? {}).flatMap(methodsOf);
  if (scope !== null && methods.length === 0) {
    throw new ValidationError({ scope: ['This scope names no method, so the key would give no access.'] });
  }
  // A model may be added by an addon later; a method that does not exist never will.
  for (const method of methods) {
    if (rpcMethods.has(method)) continue;
    throw new ValidationError({ scope: [`There is no method "${method}".${didYouMean(method, rpcMethods.keys())}`] });
  }
  return scope;
}

function parsed(given: string, field: string, expected: Text): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new ValidationError({ [field]: [expected] });
  }
}

/** Parses a scope from a caller or from the database; an empty one means none. */
export function toScope(value: unknown): KeyScope | null {
  if (value === null || value === undefined) return null;
  const entries = isPlain(value) ? Object.entries(value) : null;
  if (!entries?.every(([model, entry]) => isNames(entry) || (model !== '*' && isEntry(entry)))) {
    throw new ValidationError({
      scope: [
        'A scope maps model names to lists of methods, such as {"sale.order": ["read"]}, or to {"methods": […], "domain": […], "fields": […]}; "*" takes methods alone.',
      ],
    });
  }
  return entries.length === 0 ? null : (Object.fromEntries(entries) as KeyScope);
}

/** Operations by model, `*` for every model, that need approval. */
export type HeldChanges = Readonly<Record<string, readonly HeldOperation[]>>;
export type HeldOperation = (typeof heldOperations)[number];
/** `call`: an action of the model, whatever it does. */
const heldOperations = ['create', 'write', 'unlink', 'call'] as const;

/** The operations that need approval, as JSON or as an object. */
export function readHeld(given: unknown): HeldChanges | null {
  if (given === undefined || given === '') return null;
  return toHeld(
    typeof given === 'string'
      ? parsed(given, 'held', text('Held operations must be JSON, such as {"*": ["unlink"]}.'))
      : given,
  );
}

/** Reads the operations that need approval, from a caller or from the database; an empty object means none. */
export function toHeld(value: unknown): HeldChanges | null {
  if (value === null || value === undefined) return null;
  const entries = isPlain(value) ? Object.entries(value) : null;
  const isKnown = (operation: unknown) => heldOperations.includes(operation as HeldOperation);
  if (!entries?.every(([, operations]) => Array.isArray(operations) && operations.every(isKnown))) {
    throw new ValidationError({
      held: ['Held operations map model names to create, write, unlink and call, such as {"*": ["unlink"]}.'],
    });
  }
  return entries.length === 0 ? null : (Object.fromEntries(entries) as HeldChanges);
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isEntry(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const { methods, domain, fields, ...others } = value as Readonly<Record<string, unknown>>;
  const hasDomain = domain === undefined || isDomain(domain);
  return isNames(methods) && hasDomain && (fields === undefined || isNames(fields)) && Object.keys(others).length === 0;
}

function isDomain(value: unknown): boolean {
  try {
    return Array.isArray(value) && parseDomain(value) !== null;
  } catch {
    return false;
  }
}
