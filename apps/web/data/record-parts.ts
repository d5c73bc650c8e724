import { useCallback, useRef } from 'react';
import type { RecordValues } from './rpc.ts';

/** A record as read by one part of a screen. */
interface Part {
  readonly record: RecordValues;
  /** Adopts a newer record if all values that were read are the same in it. */
  takes(next: RecordValues): boolean;
}

/**
 * Gives each part of a row, such as a cell, its own record object: the same object until a value that the part has read
 * changes. Values read later, in an event handler, are current.
 */
export function useRecordParts(): (record: RecordValues, part: string) => RecordValues {
  const parts = useRef(new Map<string, Part>());
  return useCallback((record, name) => {
    const known = parts.current.get(name);
    if (known?.takes(record)) return known.record;
    const made = watchReads(record);
    parts.current.set(name, made);
    return made.record;
  }, []);
}

export function watchReads(given: RecordValues): Part {
  let now = given;
  const read = new Set<string | symbol>();
  let isAllRead = false;
  const readValue = (name: string | symbol) => {
    read.add(name);
    return Reflect.get(now, name) as unknown;
  };
  const record = new Proxy({} as RecordValues, {
    get: (_, name) => readValue(name),
    has(_, name) {
      read.add(name);
      return name in now;
    },
    ownKeys() {
      isAllRead = true;
      return Reflect.ownKeys(now);
    },
    getOwnPropertyDescriptor(_, name) {
      const value = readValue(name);
      return Object.hasOwn(now, name) ? { value, enumerable: true, configurable: true, writable: true } : undefined;
    },
  });
  return {
    record,
    takes(next) {
      if (next === now) return true;
      // The row shows another record by now: a part that still holds the old one keeps it.
      if (isAllRead || next.id !== now.id) return false;
      for (const name of read) {
        if (!Object.is(Reflect.get(now, name), Reflect.get(next, name)) || name in now !== name in next) return false;
      }
      now = next;
      return true;
    },
  };
}
