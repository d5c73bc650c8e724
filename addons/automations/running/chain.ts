import type { Env } from '@kontor/addon';

/** An automation that led to a run. */
export interface Link {
  readonly id: number;
  readonly name: string;
}

/** How often an automation may set itself off, and how many may set each other off. */
export const loopLimits = { rounds: 3, length: 12 } as const;

const chains = new WeakMap<Env['work'], readonly Link[]>();

/** The automations that led to the changes of this unit of work. */
export function chainOf({ work }: Pick<Env, 'work'>): readonly Link[] {
  return chains.get(work) ?? [];
}

export async function withChain<T>(
  { work }: Pick<Env, 'work'>,
  chain: readonly Link[],
  run: () => Promise<T>,
): Promise<T> {
  const before = chainOf({ work });
  chains.set(work, chain);
  try {
    return await run();
  } finally {
    chains.set(work, before);
  }
}

/** For the rest of a unit of work, whose changes are noticed at its end. */
export function beginChain({ work }: Pick<Env, 'work'>, chain: readonly Link[]): void {
  chains.set(work, chain);
}

export function isLoop(chain: readonly Link[], ruleId: number): boolean {
  return chain.length >= loopLimits.length || chain.filter(({ id }) => id === ruleId).length >= loopLimits.rounds;
}

export function readChain(given: unknown): readonly Link[] {
  return Array.isArray(given) ? (given as Link[]) : [];
}
