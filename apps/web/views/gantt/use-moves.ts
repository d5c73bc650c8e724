import { useState } from 'react';
import {
  type GanttArch,
  pushedFollowers,
  type SpanFields,
  saveSpan,
  showError,
  tn,
  type WorkspacePayload,
} from '../../door/index.ts';
import { type EntryMove, idsIn, loadFollowers, saveMoves } from './dependencies.ts';
import type { FollowersQuestion } from './move-followers-dialog.tsx';
import { followFrom } from './work.ts';

interface MoveSpec {
  readonly workspace: WorkspacePayload;
  readonly fields: SpanFields;
  readonly gantt: GanttArch;
}

export interface Moves {
  move(move: EntryMove): Promise<void>;
  /** The open question whether dependent entries should move as well. */
  readonly question: FollowersQuestion | null;
  answer(answer: 'along' | 'alone' | null): void;
}

/**
 * Saves where bars were dropped. Entries that depend on them move too if the user agrees; one Undo reverts everything.
 */
export function useMoves({ workspace, fields, gantt }: MoveSpec): Moves {
  const [question, setQuestion] = useState<FollowersQuestion | null>(null);
  const { model } = workspace;
  const alone = (move: EntryMove) => void saveSpan(workspace, fields, move);
  const move = async (wanted: EntryMove) => {
    const { entry, span } = wanted;
    const field = gantt.dependencies;
    if (field === undefined || span.end === entry.end) return alone(wanted);
    try {
      const followers = await loadFollowers(workspace, fields, field, entry.id);
      const pushed = pushedFollowers(
        { id: entry.id, end: span.end },
        followers.map((one) => ({ ...one, waitsFor: idsIn(one.record, field) })),
        (one, from) => followFrom(gantt, one, from),
      );
      // Entries with slack stay where they are.
      const moves = followers.flatMap((one) => {
        const place = pushed.get(one.id);
        return place ? [{ entry: one, span: { ...place, isAllDay: one.isAllDay } }] : [];
      });
      if (moves.length === 0) return alone(wanted);
      setQuestion({ move: wanted, followers: moves });
    } catch (error) {
      showError(error);
    }
  };
  const answer = (said: 'along' | 'alone' | null) => {
    const asked = question;
    setQuestion(null);
    if (!asked || said === null) return;
    if (said === 'alone') return alone(asked.move);
    const all = [asked.move, ...asked.followers];
    void saveMoves(model, fields, all, tn('Moved {n} entry', 'Moved {n} entries', all.length));
  };
  return { move, question, answer };
}
