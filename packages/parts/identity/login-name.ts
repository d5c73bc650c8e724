declare const isLoginName: unique symbol;

/** A login as it is stored and compared; what a person types becomes one in one way only. */
export type LoginName = string & { readonly [isLoginName]: true };

const longest = 200;

/**
 * Null: nobody can be called that. Every spelling that finds the same person must count as the same name, or each
 * would be a fresh set of tries.
 */
export function toLoginName(typed: string): LoginName | null {
  const name = typed.trim().toLowerCase();
  if (name === '' || name.length > longest || /[\0\p{Surrogate}]/u.test(name)) return null;
  return name as LoginName;
}
