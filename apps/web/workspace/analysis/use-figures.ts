import type { Answer, GroupRow, GroupSpec, Question, WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ClientError, toClientError } from '../../data/client-error.ts';
import { readGroup } from '../../data/rpc.ts';
import { whileBusy } from '../../state/idle.ts';

type Answers = readonly (readonly GroupRow[])[];

/** Requested figures, and whether newer ones are loading. */
export interface Figures {
  /** The rows of each question, in order; null until all have arrived. */
  readonly rows: Answers | null;
  readonly error: ClientError | null;
  /** The rows answer earlier questions; they may be dimmed, never removed. */
  readonly isStale: boolean;
  retry(): void;
}

/**
 * Asks all questions at once, and again when they change or the workspace is reloaded. Answers that came with the
 * workspace are not requested. Old answers stay until new ones arrive.
 */
export function useFigures(workspace: WorkspacePayload, questions: readonly Question[], known?: Answer): Figures {
  const key = JSON.stringify(questions);
  const knownKey = known && specKey(known.spec);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known, by its question and its rows.
  const brought = useMemo(() => answersOf(workspace, known), [workspace, knownKey, known?.rows]);
  const isKnown = questions.every((question) => question === null || brought.has(specKey(question)));
  const [state, setState] = useState<{ key: string; rows: Answers | null; error: ClientError | null }>();
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(questions);
  asked.current = questions;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for other questions, other data or another attempt.
  useEffect(() => {
    if (isKnown) return;
    let isCurrent = true;
    const answers = asked.current.map((question) => {
      if (question === null) return [];
      return brought.get(specKey(question)) ?? readGroup(workspace.model, question, { isQuiet: true });
    });
    whileBusy(Promise.all(answers)).then(
      (rows) => isCurrent && setState({ key, rows, error: null }),
      (error) => isCurrent && setState((before) => ({ key, rows: before?.rows ?? null, error: toClientError(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [workspace, key, isKnown, attempt]);
  const retry = () => setAttempt((now) => now + 1);
  // Equal answers stay the same object, so that a chart is built only once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked.
  const told = useMemo(
    () => asked.current.map((question) => (question && brought.get(specKey(question))) ?? []),
    [key, brought],
  );
  if (isKnown) return { rows: told, error: null, isStale: false, retry };
  const isAnswered = state?.key === key;
  return { rows: state?.rows ?? null, error: isAnswered ? (state?.error ?? null) : null, isStale: !isAnswered, retry };
}

/** Answers that came with the workspace, by question: a view's own groups, or everything for a board tile. */
function answersOf({ arch }: WorkspacePayload, known: Answer | undefined): ReadonlyMap<string, readonly GroupRow[]> {
  const answers = [...(known ? [known] : []), ...(arch.answers ?? [])];
  return new Map(answers.map(({ spec, rows }) => [specKey(spec), rows]));
}

/** Two questions with the same answer have the same key. */
function specKey({ domain, groupby, fields, ...cut }: GroupSpec): string {
  return JSON.stringify([domain, groupby, fields, cut]);
}
