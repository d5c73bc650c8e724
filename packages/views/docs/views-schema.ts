import { grammar, tagSpec } from '../grammar/grammar.ts';
import type { AttributeKind, AttributeSpec, Occurrence, TagSpec } from '../grammar/tag-spec.ts';
import { clientWidgets } from '../grammar/widgets.ts';
import { viewKinds } from '../view-node.ts';

/** Names that an editor completes, and underlines if they are unknown; without them any name is valid. */
export interface KnownNames {
  readonly models?: Iterable<string>;
  readonly fields?: Iterable<string>;
  readonly widgets?: Iterable<string>;
}

/**
 * The XML schema of views and data files, for editors: tags, attributes, choices and descriptions, from the grammar that checks
 * them. It defines what may be where; `kontor check` also checks counts and the names of each model.
 */
export function viewsSchema({ models, fields, widgets = clientWidgets.keys() }: KnownNames = {}): string {
  const kinds = Object.entries(grammar);
  const parts = [
    enumeration('kind.boolean', ['true', 'false', '1', '0']),
    enumeration('kind.field', fields),
    enumeration('kind.model', models),
    enumeration('kind.widget', widgets),
    ...dataTypes,
    ...['views', 'data', 'records'].map((root) => `<xs:element name="${root}" type="file"/>`),
    ...[...viewKinds, 'inherit'].map((kind) => element(kind, tagSpec(kind).tag)),
    ...kinds.map(([kind, spec]) => kindType(kind, spec)),
    ...anywhereTypes(kinds.map(([, spec]) => spec)),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
${parts.join('\n')}
</xs:schema>
`;
}

/** Elements outside the grammar: records of data files. */
const dataTypes: readonly string[] = [
  `<xs:complexType name="file"><xs:choice minOccurs="0" maxOccurs="unbounded">
${[...viewKinds, 'action', 'menu', 'inherit'].map((kind) => element(kind, tagSpec(kind).tag)).join('\n')}
<xs:element name="record" type="record"/>
</xs:choice><xs:attribute name="noupdate" type="kind.boolean"/></xs:complexType>`,
  `<xs:complexType name="record"><xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="field" type="record.field"/></xs:choice>
<xs:attribute name="id" type="xs:string" use="required"/><xs:attribute name="model" type="kind.model" use="required"/><xs:attribute name="noupdate" type="kind.boolean"/></xs:complexType>`,
  `<xs:complexType name="record.field" mixed="true"><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence>
<xs:attribute name="name" type="kind.field" use="required"/>${['ref', 'refs', 'eval', 'today', 'now', 'file'].map((way) => `<xs:attribute name="${way}" type="xs:string"/>`).join('')}</xs:complexType>`,
];

function element(kind: string, tag: string): string {
  return `<xs:element name="${tag}" type="kind-${kind}"/>`;
}

function kindType(kind: string, spec: TagSpec): string {
  const inside = spec.children === 'any' ? anywhere() : childElements(spec.children);
  const attributes = Object.entries(spec.attributes).map(([name, attribute]) => attributeOf(name, attribute));
  return `<xs:complexType name="kind-${kind}"${spec.text ? ' mixed="true"' : ''}>${doc(spec.doc)}${inside}
${attributes.join('\n')}
</xs:complexType>`;
}

function childElements(children: Readonly<Record<string, Occurrence>>): string {
  const elements = Object.keys(children).map((kind) => element(kind, tagSpec(kind).tag));
  if (elements.length === 0) return '';
  return `<xs:choice minOccurs="0" maxOccurs="unbounded">${elements.join('')}</xs:choice>`;
}

/**
 * Inside an `<xpath>` any tag is allowed, with any attribute that it has anywhere: the composed view is checked
 * instead.
 */
function anywhere(): string {
  const tags = [...new Set(Object.values(grammar).map(({ tag }) => tag))];
  const elements = tags.map((tag) => `<xs:element name="${tag}" type="anywhere-${tag}"/>`);
  return `<xs:choice minOccurs="0" maxOccurs="unbounded">${elements.join('')}</xs:choice>`;
}

function anywhereTypes(specs: readonly TagSpec[]): readonly string[] {
  const tags = [...new Set(specs.map(({ tag }) => tag))];
  return tags.map((tag) => {
    const own = specs.filter((spec) => spec.tag === tag);
    const found = new Map<string, AttributeSpec[]>();
    for (const spec of own)
      for (const [name, attribute] of Object.entries(spec.attributes))
        found.set(name, [...(found.get(name) ?? []), attribute]);
    const attributes = [...found].map(([name, choices]) => attributeOf(name, merged(choices)));
    return `<xs:complexType name="anywhere-${tag}" mixed="true">${doc(own[0]?.doc ?? '')}${anywhere()}
${attributes.join('\n')}
</xs:complexType>`;
  });
}

function merged([first, ...others]: readonly AttributeSpec[]): AttributeSpec {
  const { isRequired: _, ...spec } = first as AttributeSpec;
  if (others.every(({ kind }) => kind === spec.kind)) {
    return { ...spec, values: [...new Set([first as AttributeSpec, ...others].flatMap(({ values = [] }) => values))] };
  }
  return { ...spec, kind: 'text' };
}

const typeOfKind: Partial<Readonly<Record<AttributeKind, string>>> = {
  boolean: 'kind.boolean',
  integer: 'xs:integer',
  field: 'kind.field',
  model: 'kind.model',
  widget: 'kind.widget',
};

function attributeOf(name: string, spec: AttributeSpec): string {
  const use = spec.isRequired ? ' use="required"' : '';
  const told = doc(`${spec.doc} Example: ${spec.example}`);
  if (spec.kind === 'choice') {
    return `<xs:attribute name="${name}"${use}>${told}<xs:simpleType><xs:restriction base="xs:string">${values(spec.values ?? [])}</xs:restriction></xs:simpleType></xs:attribute>`;
  }
  const type = typeOfKind[spec.kind] ?? 'xs:string';
  return `<xs:attribute name="${name}" type="${type}"${use}>${told}</xs:attribute>`;
}

function enumeration(name: string, names: Iterable<string> | undefined): string {
  const known = names === undefined ? '' : values([...new Set(names)].sort());
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string">${known}</xs:restriction></xs:simpleType>`;
}

function values(names: readonly string[]): string {
  return names.map((name) => `<xs:enumeration value="${escaped(name)}"/>`).join('');
}

function doc(text: string): string {
  return `<xs:annotation><xs:documentation>${escaped(text)}</xs:documentation></xs:annotation>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
