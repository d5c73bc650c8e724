/** Messages between a worker and its supervisor. */
export type PeerMessage =
  | { readonly kind: 'ready'; readonly address: string }
  /** A worker asks for the metrics of the others, and the supervisor asks each of these. */
  | { readonly kind: 'metrics?'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly all: readonly object[] };

/** How a worker was started: the first one installs and upgrades modules, if the start asks for it. */
const role = process.env.SERVER_WORKER as 'first' | 'later' | undefined;

export const isWorker = role !== undefined && process.send !== undefined;
export const isLaterWorker = isWorker && role === 'later';

/** The address of a worker: all of them share a port, also a free one. */
export const workerPort = isWorker ? Number(process.env.SERVER_WORKER_PORT) : null;

/** The environment of a worker. */
export function workerEnvironment(isFirst: boolean, port: number): Readonly<Record<string, string>> {
  return { SERVER_WORKER: isFirst ? 'first' : 'later', SERVER_WORKER_PORT: String(port) };
}

export function tellSupervisor(message: PeerMessage): void {
  process.send?.(message);
}

let asked = 0;

/** The metrics of the other workers and of the supervisor, as the library writes them; none without a supervisor. */
export async function metricsOfOthers(): Promise<readonly object[]> {
  if (!isWorker) return [];
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    const hear = (message: PeerMessage) => {
      if (message.kind !== 'metrics' || message.id !== id) return;
      process.off('message', hear);
      resolve(message.all);
    };
    process.on('message', hear);
    tellSupervisor({ kind: 'metrics?', id });
  });
}

/** Answers when the supervisor asks for this worker's metrics. */
export function answerMetrics(collect: () => Promise<readonly object[]>): void {
  if (!isWorker) return;
  process.on('message', (message: PeerMessage) => {
    if (message.kind !== 'metrics?') return;
    const { id } = message;
    const answer = (all: readonly object[]) => tellSupervisor({ kind: 'metrics', id, all });
    collect().then(answer, () => answer([]));
  });
}
