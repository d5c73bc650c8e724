import { randomBytes } from 'node:crypto';

/** The state of one session with an agent. It contains no key. */
export interface Session {
  /** All changes belong to it, so that they can be undone in one step. */
  readonly task: string;
  begin(title: string): void;
  /** Change sets of the task, in order. */
  readonly changeSets: readonly number[];
  made(changeSet: number): void;
  undone(changeSets: readonly number[]): void;
}

const kept = 1_000;

export function openSession(): Session {
  let task = named('Session');
  let sets: number[] = [];
  return {
    get task() {
      return task;
    },
    begin(title) {
      task = named(title);
      sets = [];
    },
    get changeSets() {
      return sets;
    },
    made: (changeSet) => {
      sets = [...sets, changeSet].slice(-kept);
    },
    undone: (gone) => {
      sets = sets.filter((set) => !gone.includes(set));
    },
  };
}

/** Two tasks with the same title stay separate. */
function named(title: string): string {
  return `${title.trim().slice(0, 110)} #${randomBytes(3).toString('hex')}`;
}
