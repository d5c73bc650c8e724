import type { Env } from '@kontor/orm';
import { openXml, parseNode, type ViewNode } from '@kontor/views';
import type { ViewPlace, ViewPlaces } from './change-document.ts';

/** The form and the list that most people see of a model, and the field that a new one comes after. */
export async function viewPlaces(env: Env, model: string): Promise<ViewPlaces> {
  const rows = await env.model('sys.view').searchRead(
    [
      ['model', '=', model],
      ['type', 'in', ['form', 'list']],
      ['inherit_id', '=', null],
      ['active', '=', true],
    ],
    ['key', 'type', 'arch', 'module'],
    { order: 'priority, id' },
  );
  await openXml();
  const placeIn = (type: string, fieldsOf: (root: ViewNode) => readonly string[]): ViewPlace | null => {
    const row = rows.find((each) => each.type === type && each.key);
    if (!row) return null;
    const place = { addon: String(row.module ?? ''), file: String(row.key), line: 1 };
    return { view: String(row.key), last: fieldsOf(parseNode(String(row.arch), place)).at(-1) ?? null };
  };
  return { form: placeIn('form', firstGroup), list: placeIn('list', namesIn) };
}

/** The first group that has fields of its own. */
function firstGroup(root: ViewNode): readonly string[] {
  for (const child of root.children) {
    const own = child.tag === 'group' ? namesIn(child) : [];
    if (own.length > 0) return own;
    const inside = ['group', 'notebook', 'page'].includes(child.tag) ? firstGroup(child) : [];
    if (inside.length > 0) return inside;
  }
  return namesIn(root);
}

function namesIn({ children }: ViewNode): readonly string[] {
  return children.flatMap(({ tag, attributes }) => (tag === 'field' && attributes.name ? [attributes.name] : []));
}
