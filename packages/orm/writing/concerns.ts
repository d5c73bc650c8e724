import { defaults, numbers } from '../defaults/apply-defaults.ts';
import { editables } from '../drafts/editable-values.ts';
import { casting } from '../given/cast-values.ts';
import { links } from '../given/check-links.ts';
import { access } from '../given/check-names.ts';
import { base } from '../given/merge-base.ts';
import { lists } from '../lists/lists.ts';
import type { Concern } from '../plan/concern.ts';
import { circles } from '../settle/check-circles.ts';
import { company } from '../settle/check-companies.ts';
import { constraints } from '../settle/check-constraints.ts';
import { rules } from '../settle/check-rules.ts';
import { computes } from '../settle/mark-stale.ts';
import { locks } from '../states/check-locks.ts';
import { moves } from '../states/follow-moves.ts';
import { history } from './history.ts';
import { hooks } from './hooks.ts';

/** Everything that a write must respect, in the order in which it is respected. */
export const concerns: readonly Concern[] = [
  ...[access, hooks, defaults, numbers, casting, base, lists, moves, editables, links, company, rules, locks, history],
  ...[circles, computes, constraints],
];
