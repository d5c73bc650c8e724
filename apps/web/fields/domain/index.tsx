import { t } from '../../i18n/messages.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { TextEdit } from '../text.tsx';
import { readDomain } from './domain-value.ts';

export const domainField = defineField({
  name: 'domain',
  Read: DomainRead,
  Edit: DomainEdit,
  toText: domainText,
  width: 240,
  layout: 'stacked',
});

/** The domain as written; its wording is only for the screen, and that code is loaded on demand. */
function domainText({ value }: FieldReadProps): string {
  const domain = readDomain(value);
  if (domain === null) return String(value);
  return domain.length === 0 ? t('All records') : JSON.stringify(domain);
}

const { Component: Said } = lazyComponent<FieldReadProps>(async () => (await import('./read.tsx')).DomainInWords);

function DomainRead(props: FieldReadProps) {
  return readDomain(props.value)?.length ? <Said {...props} /> : domainText(props);
}

const { Component: Editor } = lazyComponent<FieldEditProps>(
  async () => (await import('./domain-editor.tsx')).DomainRulesEdit,
);

function DomainEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
