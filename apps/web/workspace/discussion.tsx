import type { DiscussionProps } from '../data/chatter.ts';
import { viewOf } from './view-lookup.ts';

/** The messages of a record with the composer, for views that show them without the form. */
export function Discussion(props: DiscussionProps) {
  const { Discussion: Loaded } = viewOf('form');
  return <Loaded {...props} />;
}
