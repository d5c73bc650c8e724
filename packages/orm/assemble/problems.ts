export interface Problem {
  readonly module: string;
  readonly model: string;
  readonly field?: string;
  readonly message: string;
}

/** Mistakes in model definitions, all at once. */
export class DefinitionError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(describe).join('\n'));
    this.name = 'DefinitionError';
    this.problems = problems;
  }
}

/** Adds a mistake to the part of a definition that is being checked. */
export type AddProblem = (message: string) => void;

/** Part of a message about what follows from another mistake. Such messages are not reported: the other one is. */
export const consequence = '\0';

export class Problems {
  readonly #found: Problem[] = [];

  add(at: Omit<Problem, 'message'>, message: string): void {
    if (!message.includes(consequence)) this.#found.push({ ...at, message });
  }

  get all(): readonly Problem[] {
    return this.#found;
  }
}

function describe({ module, model, field, message }: Problem): string {
  return `Module ${module}, model ${model}${field === undefined ? '' : `, field ${field}`}: ${message}`;
}
