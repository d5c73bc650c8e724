import { useState } from 'react';
import { type GanttArch, type SpanFields, saveSpan, showError, tn, type WorkspacePayload } from '../../door/index.ts';
import type { AlongQuestion } from './ask-along.tsx';
import { type EntryMove, loadFollowers, saveMoves } from './dependencies.ts';

interface MoveSpec {
  readonly workspace: WorkspacePayload;
  readonly fields: SpanFields;
  readonly gantt: GanttArch;
}

export interface Moves {
  move(move: EntryMove): Promise<void>;
  /** Asked before what waits for a bar moves along. */
  readonly question: AlongQuestion | null;
  answer(answer: 'along' | 'alone' | null): void;
}

/** Saves where bars were dropped. Those that wait for one move along when the person says so, all undone in one step. */
export function useMoves({ workspace, fields, gantt }: MoveSpec): Moves {
  const [question, setQuestion] = useState<AlongQuestion | null>(null);
  const { model } = workspace;
  const alone = (move: EntryMove) => void saveSpan(workspace, fields, move);
  const move = async (wanted: EntryMove) => {
    const { entry, span } = wanted;
    const field = gantt.dependencies;
    if (field === undefined || span.end === entry.end) return alone(wanted);
    try {
      const followers = await loadFollowers(workspace, fields, field, entry.id);
      if (followers.length === 0) return alone(wanted);
      setQuestion({ move: wanted, followers });
    } catch (error) {
      showError(error);
    }
  };
  const answer = (said: 'along' | 'alone' | null) => {
    const asked = question;
    setQuestion(null);
    if (!asked || said === null) return;
    if (said === 'alone') return alone(asked.move);
    const by = asked.move.span.end - asked.move.entry.end;
    const others = asked.followers.map((entry) => ({
      entry,
      span: { start: entry.start + by, end: entry.end + by, isAllDay: entry.isAllDay },
    }));
    const all = [asked.move, ...others];
    void saveMoves(model, fields, all, tn('Moved {n} entry', 'Moved {n} entries', all.length));
  };
  return { move, question, answer };
}
