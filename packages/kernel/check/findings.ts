import type { AddonError, Place } from '../addons/addon-error.ts';

/** A problem, or probable problem, of an addon. */
export interface Finding {
  readonly addon: string;
  /** Inside the addon's folder. */
  readonly file: string;
  readonly line: number;
  readonly severity: 'error' | 'warning';
  /** The kind of check that found it. */
  readonly check: string;
  readonly message: string;
  /** A suggestion or what to do; empty if there is none. */
  readonly fix: string;
}

/** Collects findings; the same one twice counts once. */
export interface Findings {
  add(check: string, place: Place, message: string, fix?: string, severity?: Finding['severity']): void;
  error(check: string, error: AddonError): void;
  readonly all: readonly Finding[];
}

export function createFindings(): Findings {
  const found = new Map<string, Finding>();
  const add: Findings['add'] = (
    check,
    { addon, file = 'manifest.json', line = 1 },
    message,
    fix = '',
    severity = 'error',
  ) => {
    const finding = { addon, file, line, severity, check, message, fix: fix.trim() };
    const key = JSON.stringify([addon, file, line, message]);
    if (!found.has(key)) found.set(key, finding);
  };
  return {
    add,
    error(check, error) {
      for (const each of [error, ...error.also]) add(check, each.place, each.problem, each.hint);
    },
    get all() {
      return inOrder(found.values());
    },
  };
}

/** By addon, file and line. */
export function inOrder(findings: Iterable<Finding>): readonly Finding[] {
  return [...findings].sort(
    (a, b) => compare(a.addon, b.addon) || compare(a.file, b.file) || a.line - b.line || compare(a.message, b.message),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
