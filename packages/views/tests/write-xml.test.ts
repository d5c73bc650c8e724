import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { openXml, type ViewNode } from '../index.ts';
import { parseNode } from '../parse/parse-view.ts';
import { writeXml } from '../parse/write-xml.ts';

beforeAll(openXml);

const place = { addon: 'sale', file: 'views/order.xml', line: 1 };
/** Characters that XML can hold. */
const text = fc.string({ unit: fc.constantFrom(...' \n\t"\'<>&;#a1é漢😀-]'), maxLength: 12 });
const attributes = fc.dictionary(fc.constantFrom('name', 'label', 'group-by', 'help'), text, { noNullPrototype: true });

function tree(depth: number): fc.Arbitrary<ViewNode> {
  return fc.record({
    tag: fc.constantFrom('form', 'group', 'field', 'text'),
    attributes,
    text: text.map((words) => words.trim()),
    children: depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 3 }),
    place: fc.nat({ max: 40 }).map((line) => ({ ...place, line: line + 1 })),
  });
}

it('VIEW-2 whatever a view holds, writing and reading it again gives the same', () => {
  fc.assert(
    fc.property(tree(3), (node) => {
      const again = parseNode(writeXml(node), { ...place, line: node.place.line });
      expect(withoutLines(again)).toEqual(withoutLines(node));
    }),
    { numRuns: 300 },
  );
});

/** Lines only hold where nodes come one below the other, as in a file. */
function withoutLines(node: ViewNode): unknown {
  const { tag, attributes: given, text: words, children } = node;
  return { tag, given, words, children: children.map(withoutLines) };
}
