import { invalidArgs } from '@kontor/protocol';
import { mayReadField } from '../../access/field-access.ts';
import type { Env, Model } from '../../model/model.ts';
import type { Projection } from '../../model/records.ts';
import { budgets, overBudget } from '../budgets.ts';
import { isComputedOnRead, type Select, walk } from '../select.ts';
import { makePlan, type Output, type Plan } from './plan.ts';
import { planCell, planComputed, planLines } from './plan-field.ts';

const maxHops = 4;
const maxNesting = 4;

/** The remaining limits, for the whole projection with its nested ones. */
interface Budget {
  paths: number;
  readonly max: number;
}

/** Plans a read of `id` and the given paths; without paths, of every readable stored field and `display_name`. */
export function planProjection(select: Select, projection?: Projection | null): Plan {
  const asked = projection ?? defaultProjection(select.env, select.model);
  const max = select.env.isOutside ? budgets.paths.outside : budgets.paths.inside;
  return makePlan(select, planPaths(select, asked, { paths: projection ? 0 : -asked.length, max }, 0));
}

function defaultProjection(env: Env, model: Model): readonly string[] {
  const names: string[] = [];
  for (const field of model.fields.values()) {
    const isShown = field.name === 'display_name' || (field.isStored && !field.kind.isFile);
    if (isShown && !field.spec.secret && mayReadField(env, field)) names.push(field.name);
  }
  return names;
}

function planPaths(select: Select, projection: unknown, budget: Budget, nesting: number): readonly Output[] {
  if (!Array.isArray(projection)) throw invalidArgs('A projection is an array of field paths.', { field: 'fields' });
  const outputs = new Map<string, Output>();
  for (const entry of projection as readonly unknown[]) {
    if (typeof entry === 'string') {
      countPath(budget);
      if (entry !== 'id' && !outputs.has(entry)) outputs.set(entry, planPath(select, entry));
    } else if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      for (const [path, nested] of Object.entries(entry)) {
        countPath(budget);
        if (outputs.has(path)) throw invalidArgs(`${path} is asked for twice.`, { field: path });
        outputs.set(path, planNested(select, path, nested, budget, nesting + 1));
      }
    } else {
      throw invalidArgs('A projection holds field paths and objects of nested projections.', { field: 'fields' });
    }
  }
  return [...outputs.values()];
}

function countPath(budget: Budget): void {
  budget.paths += 1;
  if (budget.paths <= budget.max) return;
  const message = `At most ${budget.max} paths may be asked for.`;
  throw overBudget({ budget: 'paths', limit: budget.max, message, field: 'fields' });
}

function splitPath(path: string): readonly string[] {
  const segments = path.split('.');
  if (segments.length > maxHops + 1) {
    throw invalidArgs(`${path} is too deep: a path goes through at most ${maxHops} relations.`, { field: path });
  }
  return segments;
}

function planPath(select: Select, path: string): Output {
  const { table, field } = walk(select, splitPath(path));
  if (isComputedOnRead(field)) return planComputed(select, table, field, { key: path, asRecords: false });
  if (field.kind.isList) return planLines(select, table, field, { key: path, asIds: true });
  return planCell(select, table, field, path);
}

function planNested(select: Select, path: string, nested: unknown, budget: Budget, nesting: number): Output {
  if (nesting > maxNesting) throw invalidArgs(`${path}: projections nest at most ${maxNesting} deep.`, { field: path });
  const { table, field } = walk(select, splitPath(path));
  if (!field.kind.isList || isComputedOnRead(field)) {
    const hint = field.kind.isToOne ? `Ask for ${path}.display_name and the like.` : undefined;
    throw invalidArgs(`${path} takes no nested projection.`, { field: path, ...(hint ? { hint } : {}) });
  }
  const planChild = (lines: Select) => planPaths(lines, nested, budget, nesting);
  return planLines(select, table, field, { key: path, asIds: false, planChild });
}
