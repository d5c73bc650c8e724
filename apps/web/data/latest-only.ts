/**
 * Answers may come in another order than they were asked for. Takes each answer with `take`, unless a later one was taken
 * before it.
 */
export function latestOnly<T>(ask: () => Promise<T>, take: (answer: T) => void): () => Promise<void> {
  let asked = 0;
  let taken = 0;
  return async () => {
    const mine = ++asked;
    const answer = await ask();
    if (mine < taken) return;
    taken = mine;
    take(answer);
  };
}
