import type { ComponentType } from 'react';
import { typedText } from '../data/form/invalid-values.ts';
import { languageName } from '../i18n/messages.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { Skeleton } from '../ui/parts.tsx';
import { ColourRead } from './colour.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { fileText } from './file/file-content.ts';
import { plainText } from './plain.tsx';
import { ReferenceRead, referenceText } from './reference.tsx';
import { SelectionRead, selectionText } from './selection.tsx';
import { TagsRead, tagsText } from './tags.tsx';
import './json.css';

type RareEdits = typeof import('./rare-edits.tsx');

/** An editor from the chunk of rarely used editors. */
export function rareEdit(name: keyof RareEdits): ComponentType<FieldEditProps> {
  const load = async () => (await import('./rare-edits.tsx'))[name];
  return lazyComponent<FieldEditProps>(load, <Skeleton width="50%" />).Component;
}

export const checkboxesField = defineField({
  name: 'checkboxes',
  Read: TagsRead,
  Edit: rareEdit('CheckboxesEdit'),
  toText: tagsText,
  width: 200,
});

export const radioField = defineField({
  name: 'radio',
  Read: SelectionRead,
  Edit: rareEdit('RadioEdit'),
  toText: selectionText,
  width: 140,
});

export const jsonField = defineField({
  name: 'json',
  Read: JsonRead,
  Edit: rareEdit('JsonEdit'),
  toText: jsonText,
  width: 200,
});

export const codeField = defineField({
  name: 'code',
  Read: CodeRead,
  Edit: rareEdit('CodeEdit'),
  toText: plainText,
  width: 240,
  layout: 'wide',
});

function jsonText({ value }: FieldReadProps): string {
  return typedText(value) ?? (value === null || value === undefined ? '' : JSON.stringify(value));
}

function JsonRead(props: FieldReadProps) {
  const { value, place } = props;
  if (value === null || value === undefined) return null;
  if (place !== 'form') return <code className="mono small">{jsonText(props)}</code>;
  return (
    <pre className="break sunken round-m mono small pad-2-3 pre-wrap">
      {typedText(value) ?? JSON.stringify(value, null, 2)}
    </pre>
  );
}

function CodeRead(props: FieldReadProps) {
  const text = plainText(props);
  if (text === '') return null;
  return props.place === 'form' ? <pre className="break pre-wrap code-block">{text}</pre> : <code>{text}</code>;
}

export const colourField = defineField({
  name: 'color',
  Read: ColourRead,
  Edit: rareEdit('ColourEdit'),
  toText: ({ value }) => (value === null || value === undefined ? '' : String(value)),
  isDirect: true,
  // All twelve side by side: a list row has one line.
  width: 370,
});

export const referenceField = defineField({
  name: 'reference',
  Read: ReferenceRead,
  Edit: rareEdit('ReferenceEdit'),
  toText: referenceText,
  width: 200,
});

const languageText = ({ value }: FieldReadProps) =>
  typeof value === 'string' && value !== '' ? languageName(value) : '';

export const languageField = defineField({
  name: 'language',
  Read: languageText,
  Edit: rareEdit('LanguageEdit'),
  toText: languageText,
  width: 160,
});

const timezoneText = ({ value }: FieldReadProps) => (typeof value === 'string' ? value.replaceAll('_', ' ') : '');

export const timezoneField = defineField({
  name: 'timezone',
  Read: timezoneText,
  Edit: rareEdit('TimezoneEdit'),
  toText: timezoneText,
  width: 160,
});

const { Component: NextActivity } = lazyComponent<FieldReadProps>(
  async () => (await import('./activity/next-activity.tsx')).NextActivity,
);

/** Bound to `id`, because activities are not a field of the record. */
export const activityField = defineField({
  name: 'activity',
  Read: NextActivity,
  Edit: null,
  toText: () => '',
  width: 130,
});

const { Component: FileRead } = lazyComponent<FieldReadProps>(async () => (await import('./file/file.tsx')).FileRead);
const { Component: FileEdit } = lazyComponent<FieldEditProps>(async () => (await import('./file/file.tsx')).FileEdit);

export const fileField = defineField({
  name: 'file',
  Read: FileRead,
  Edit: FileEdit,
  toText: fileText,
  width: 160,
});

export const binaryField = defineField({ ...fileField, name: 'binary' });

const { Component: GroupsEdit } = lazyComponent<FieldEditProps>(
  async () => (await import('./groups/edit.tsx')).GroupsEdit,
);

export const groupsField = defineField({
  name: 'groups',
  Read: TagsRead,
  Edit: GroupsEdit,
  toText: tagsText,
  width: 200,
});

/** Handles a file in place; it has no value, so the form has nothing to save. */
export const importMappingField = defineField({
  name: 'import_mapping',
  Read: ImportMappingRead,
  Edit: null,
  toText: () => '',
  layout: 'stacked',
});

const { Component: ComparisonEdit } = lazyComponent<FieldEditProps>(
  async () => (await import('./comparison/comparison.tsx')).ComparisonEdit,
  <Skeleton width="60%" />,
);

/** In the dialog of a merge: the records beside each other, and what is kept of each. */
export const comparisonField = defineField({
  name: 'comparison',
  Read: () => null,
  Edit: ComparisonEdit,
  toText: () => '',
  layout: 'stacked',
});

const { Component: ImportForm } = lazyComponent<FieldReadProps>(
  async () => (await import('./import-mapping/import-form.tsx')).ImportForm,
  <Skeleton width="60%" />,
);

function ImportMappingRead(props: FieldReadProps) {
  return props.place === 'form' && props.record.id > 0 ? <ImportForm key={props.record.id} {...props} /> : null;
}
