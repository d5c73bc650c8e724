import { useEffect, useState } from 'react';
import type { Mention } from '../../../data/form/chatter.ts';
import { searchRead } from '../../../data/rpc.ts';
import { busyTimer } from '../../../state/idle.ts';

const none: readonly Mention[] = [];

/** Colleagues whose name holds what was typed after the @. */
export function usePeople(typed: string | null): readonly Mention[] {
  const [people, setPeople] = useState(none);
  useEffect(() => {
    if (typed === null) return setPeople(none);
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      const domain = [['active', '=', true] as const, ['name', 'ilike', typed] as const];
      searchRead('core.user', domain, ['name'], { limit: 6 }, { signal: controller.signal }).then(
        (found) => setPeople(found.map((one) => ({ id: one.id, name: String(one.name) }))),
        () => {},
      );
    }, 120);
    return () => {
      cancel();
      controller.abort();
    };
  }, [typed]);
  return people;
}
