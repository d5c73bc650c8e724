export interface Lane {
  /** Runs work after all that was given before it. */
  add(work: () => Promise<void>): void;
  /** Settles when nothing is left. */
  empty(): Promise<void>;
}

/** Work that keeps its order; what fails is told and holds nobody up. */
export function createLane(onError: (error: unknown) => void): Lane {
  let last: Promise<void> = Promise.resolve();
  return {
    add(work) {
      last = last.then(work).catch(onError);
    },
    empty: () => last,
  };
}
