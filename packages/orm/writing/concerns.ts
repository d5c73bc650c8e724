import { defaults, numbers } from '../defaults/apply-defaults.ts';
import { editables, places } from '../drafts/editable-values.ts';
import { casting, required } from '../given/cast-values.ts';
import { links } from '../given/check-links.ts';
import { visibility } from '../given/given-links.ts';
import { access, fieldAccess } from '../given/given-values.ts';
import { base, conflicts } from '../given/merge-base.ts';
import { normalise, normaliseNew } from '../given/normalise.ts';
import { translated } from '../given/translated.ts';
import { lines, links as listLinks, lists } from '../lists/lists.ts';
import type { Concern } from '../plan/concern.ts';
import { owners } from '../rows/lock-owners.ts';
import { circles } from '../settle/check-circles.ts';
import { company } from '../settle/check-companies.ts';
import { constraints } from '../settle/check-constraints.ts';
import { overlaps } from '../settle/check-overlaps.ts';
import { rules } from '../settle/check-rules.ts';
import { followLater } from '../settle/follow-later.ts';
import { computes } from '../settle/mark-stale.ts';
import { beginning, laterStages } from '../states/begin.ts';
import { locks } from '../states/check-locks.ts';
import { needs } from '../states/check-needs.ts';
import { moves } from '../states/follow-moves.ts';
import { history } from './history.ts';
import { afterHooks, hooks } from './hooks.ts';
import { references } from './referrers.ts';

/**
 * Everything that a write must respect. Stages come first; within one, the order of this list decides which concern
 * rejects first.
 */
export const concerns: readonly Concern[] = [
  // What the caller gave
  ...[access, casting, fieldAccess, owners, visibility, translated, normalise, hooks],
  // The values of new records, and the row that is changed
  ...[defaults, base, lists, conflicts, places, beginning, moves, editables, normaliseNew, numbers, required],
  ...[links, locks],
  // What is stored, and what follows
  ...[listLinks, history, references, lines, company, computes, followLater],
  ...[constraints, circles, overlaps, needs, rules],
  ...[afterHooks, laterStages],
];
