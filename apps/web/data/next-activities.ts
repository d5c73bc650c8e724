import { useEffect } from 'react';
import { bootstrap, hasFeature } from '../state/bootstrap.ts';
import { busyTimer } from '../state/idle.ts';
import { createStore, useStorePart } from '../state/store.ts';
import { onCatchUp, onEvent } from './bus.ts';
import { request } from './request.ts';

/** What is next to do about a record, and how much there is altogether. */
export interface NextActivity {
  readonly name: string;
  readonly dueDate: string;
  readonly icon: string | null;
  readonly count: number;
}

/** By model and id; null: nothing is planned. */
const known = createStore<ReadonlyMap<string, NextActivity | null>>(new Map());
const wanted = new Map<string, Set<number>>();
const mostAtOnce = 200;
const mostKept = 2_000;
let isFollowing = false;

/** Undefined until it is known. Records on one screen are asked about together. */
export function useNextActivity(model: string, id: number): NextActivity | null | undefined {
  useEffect(() => {
    follow();
    if (!known.get().has(keyOf(model, id))) askFor(model, id);
  }, [model, id]);
  return useStorePart(known, (all) => all.get(keyOf(model, id)));
}

export function askFor(model: string, id: number): void {
  if (!hasFeature('activities')) return;
  if (wanted.size === 0) busyTimer(askAll, 20);
  const ids = wanted.get(model) ?? new Set();
  wanted.set(model, ids.add(id));
}

function askAll(): void {
  for (const [model, ids] of wanted) {
    const all = [...ids];
    for (let at = 0; at < all.length; at += mostAtOnce) void ask(model, all.slice(at, at + mostAtOnce));
  }
  wanted.clear();
}

async function ask(model: string, ids: readonly number[]): Promise<void> {
  const query = new URLSearchParams({ model, ids: ids.join() });
  const address = `${bootstrap().wcApiBase}/activities?${query}`;
  const answer = await request<{ next: Record<string, NextActivity> }>(address).catch(() => null);
  if (!answer) return;
  const { next } = answer.body;
  const found = ids.map((id) => [keyOf(model, id), next[id] ?? null] as const);
  known.set((now) => new Map([...(now.size > mostKept ? [] : now), ...found]));
}

/** Asks again for what is on screen when somebody plans or does something. */
function follow(): void {
  if (isFollowing) return;
  isFollowing = true;
  onEvent('activity.changed', ({ model, id }) => {
    if (known.get().has(keyOf(String(model), Number(id)))) askFor(String(model), Number(id));
  });
  onCatchUp(() => {
    for (const key of known.get().keys()) {
      const [model = '', id] = key.split(' ');
      askFor(model, Number(id));
    }
  });
}

function keyOf(model: string, id: number): string {
  return `${model} ${id}`;
}
