import type { Field, Model } from '@kontor/orm';
import type { ViewNode } from '../view-node.ts';
import { fieldsOfKind, isMinor, ownerField, startField, statusField, stopField } from './main-fields.ts';
import { nodeMaker, rootOf } from './make-node.ts';

/** A calendar; null for models without a date. */
export function generateCalendar(model: Model): ViewNode | null {
  const start = startField(model);
  if (!start) return null;
  const make = nodeMaker(model);
  const related = fieldsOfKind(model, (kind) => kind.isToOne).filter((field) => !isMinor(field));
  return rootOf(
    make,
    model,
    'calendar',
    related.slice(0, 2).map((field) => make('field', { name: field.name })),
    {
      start: start.name,
      stop: stopField(model)?.name,
      color: (ownerField(model) ?? statusField(model))?.name,
    },
  );
}

/** A gantt; null for models without an end. */
export function generateGantt(model: Model): ViewNode | null {
  const [start, stop] = [startField(model), stopField(model)];
  if (!start || !stop) return null;
  const progress = model.fields.get('progress');
  const owner = ownerField(model);
  return rootOf(nodeMaker(model), model, 'gantt', [], {
    start: start.name,
    stop: stop.name,
    'group-by': owner?.name,
    color: statusField(model)?.name,
    progress: progress && isDegrees(progress) ? progress.name : undefined,
  });
}

/** A map; null for models without coordinates of their own. */
export function generateMap(model: Model): ViewNode | null {
  const latitude = degrees(model, ['latitude', 'lat']);
  const longitude = degrees(model, ['longitude', 'lng', 'lon']);
  if (!latitude || !longitude) return null;
  return rootOf(nodeMaker(model), model, 'map', [], { latitude: latitude.name, longitude: longitude.name });
}

function degrees(model: Model, names: readonly string[]): Field | null {
  return names.map((name) => model.fields.get(name)).find((field) => field && isDegrees(field)) ?? null;
}

function isDegrees(field: Field): boolean {
  return field.kind.isNumber && !field.kind.isWhole && !field.kind.isMoney;
}
