import type { Model } from './model.ts';

/** What of a model may be customised: of the system's own tables rights alone, of models without a table nothing. */
export function customisable({ name, isTransient, served }: Model): 'all' | 'rights' | 'nothing' {
  if (isTransient || served) return 'nothing';
  return name.startsWith('sys.') ? 'rights' : 'all';
}
