import { t } from '../../i18n/messages.ts';
import type { FieldReadProps } from '../define-field.ts';
import { flatDomain, readDomain } from './domain-value.ts';

export function domainText({ value }: FieldReadProps): string {
  const domain = readDomain(value);
  if (domain === null) return String(value);
  if (domain.length === 0) return t('All records');
  const flat = flatDomain(domain);
  if (!flat) return JSON.stringify(domain);
  const words = flat.conditions.map(([path, operator, operand]) => `${path} ${operator} ${JSON.stringify(operand)}`);
  return words.join(flat.isAny ? ` ${t('or')} ` : ` ${t('and')} `);
}

export function DomainRead(props: FieldReadProps) {
  return <>{domainText(props)}</>;
}
