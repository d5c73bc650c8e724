import type { Field, Model } from '@kontor/orm';
import type { ViewNode } from '../view-node.ts';
import { fieldsOfKind, isMinor, measureField, startField, statusField, stopField } from './main-fields.ts';
import { type MakeNode, nodeMaker, rootOf } from './make-node.ts';

/** A chart by time or by state; null if there is nothing to group by. */
export function generateGraph(model: Model): ViewNode | null {
  const groups = [startField(model), statusField(model) ?? category(model)].filter((field) => field !== null);
  if (groups.length === 0) return null;
  const make = nodeMaker(model);
  return rootOf(make, model, 'graph', [
    ...groups.map((field) => axis(make, 'group-by', field)),
    ...measures(make, model),
  ]);
}

export function generatePivot(model: Model): ViewNode | null {
  const row = statusField(model) ?? category(model);
  const column = startField(model);
  if (!row) return null;
  const make = nodeMaker(model);
  const axes = [axis(make, 'row', row), ...(column ? [axis(make, 'column', column)] : [])];
  return rootOf(make, model, 'pivot', [...axes, ...measures(make, model)]);
}

export function generateCohort(model: Model): ViewNode | null {
  const [start, stop] = [startField(model), stopField(model)];
  if (!start || !stop) return null;
  return rootOf(nodeMaker(model), model, 'cohort', [], { start: start.name, stop: stop.name });
}

function category(model: Model): Field | null {
  const fields = fieldsOfKind(model, (kind) => kind.isChoice || kind.isToOne).filter((field) => field.isStored);
  return fields.find((field) => !isMinor(field)) ?? null;
}

function axis(make: MakeNode, tag: string, field: Field): ViewNode {
  return make(tag, { name: field.name, interval: field.kind.isDate ? 'month' : undefined });
}

function measures(make: MakeNode, model: Model): readonly ViewNode[] {
  const field = measureField(model);
  return field ? [make('measure', { name: field.name })] : [];
}
