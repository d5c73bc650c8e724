import { defaults, numbers } from '../defaults/apply-defaults.ts';
import { editables, places } from '../drafts/editable-values.ts';
import { casting } from '../given/cast-values.ts';
import { links } from '../given/check-links.ts';
import { access } from '../given/check-names.ts';
import { base, conflicts } from '../given/merge-base.ts';
import { lines, links as listLinks, lists } from '../lists/lists.ts';
import type { Concern } from '../plan/concern.ts';
import { owners } from '../rows/lock-owners.ts';
import { circles } from '../settle/check-circles.ts';
import { company } from '../settle/check-companies.ts';
import { constraints } from '../settle/check-constraints.ts';
import { rules } from '../settle/check-rules.ts';
import { computes } from '../settle/mark-stale.ts';
import { locks } from '../states/check-locks.ts';
import { moves } from '../states/follow-moves.ts';
import { history } from './history.ts';
import { afterHooks, hooks } from './hooks.ts';

/** Everything that a write must respect. The stages come first; within one, the order of this list decides who refuses first. */
export const concerns: readonly Concern[] = [
  // Values
  ...[access, owners, hooks, defaults, numbers, casting],
  // The locked row
  ...[base, lists, conflicts, places, moves, editables, links, company, locks],
  // The stored row
  ...[listLinks, history, lines, computes, constraints, circles, rules, afterHooks],
];
