import {
  type ArchInput,
  type ArchOutput,
  type CheckContext,
  openXml,
  parseView,
  toArch,
  type Viewer,
  type ViewNode,
} from '../index.ts';
import { exampleRegistry } from './example-registry.ts';

await openXml();

const names = {
  group: new Set(['base.group_user', 'base.group_system', 'sale.group_manager']),
  action: new Set(['sale.orders']),
  menu: new Set(['sale.menu_sale']),
  view: new Set(['sale.order_form']),
};

export const exampleContext: CheckContext = {
  registry: exampleRegistry,
  viewTypes: new Set(['timeline']),
  names: (kind) => names[kind],
};

export interface Person {
  readonly groups?: readonly string[];
  /** Rights that they do not have: `core.partner:read`. */
  readonly denied?: readonly string[];
}

/** Somebody in the given groups who may do whatever is not denied. */
export function person({ groups = ['base.group_user'], denied = [] }: Person = {}): Viewer {
  const own = new Set(groups);
  return {
    groups: own,
    seesAll: false,
    mayReadField: ({ spec }) => !spec.secret && (!spec.groups || spec.groups.some((group) => own.has(group))),
    mayAccess: (model, operation) => !denied.includes(`${model.name}:${operation}`),
  };
}

/** A view of the addon `sale`; its first line is line 1. */
export function view(xml: string, file = 'views/order.xml', addon = 'sale'): ViewNode {
  return parseView(xml, { addon, file });
}

export function archOf(xml: string, options: Partial<ArchInput> & { readonly as?: Person } = {}): ArchOutput {
  const { as, ...given } = options;
  return toArch({ view: view(xml), search: null, registry: exampleRegistry, viewer: person(as), ...given });
}

/** The message that the work throws. */
export function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '(nothing was thrown)';
}
