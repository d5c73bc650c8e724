export interface Problem {
  readonly module: string;
  readonly model: string;
  readonly field?: string;
  readonly message: string;
}

/** Mistakes in model definitions, all of one stage at once. */
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

export class Problems {
  readonly #found: Problem[] = [];

  add(at: Omit<Problem, 'message'>, message: string): void {
    this.#found.push({ ...at, message });
  }

  /** Later stages read what earlier ones built, so each stage ends here. */
  throwIfAny(): void {
    if (this.#found.length > 0) throw new DefinitionError(this.#found);
  }
}

function describe({ module, model, field, message }: Problem): string {
  return `Module ${module}, model ${model}${field === undefined ? '' : `, field ${field}`}: ${message}`;
}
