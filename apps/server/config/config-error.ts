/** All mistakes in flags, environment and file at once; they stop the start. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A value for a message, without the password that an address may contain. */
export function maskedValue(value: string): string {
  const safe = value
    .replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:***@')
    .replace(/(password\s*=\s*)('[^']*'|[^\s&]*)/gi, '$1***');
  return `"${safe}"`;
}
