import type { DiscussionProps } from '../../../door/index.ts';
import { Composer } from './composer.tsx';
import { Feed, useFeed } from './feed.tsx';
import './styles.css';

/** The messages of a record and the composer, outside of its form. */
export function Discussion({ model, recordId, onWriting }: DiscussionProps) {
  const feed = useFeed(model, recordId);
  if (feed.isAbsent) return null;
  return (
    <>
      <Feed {...{ feed, model, recordId }} isOldestFirst />
      <Composer
        key={`${model},${recordId}`}
        usualMode="message"
        {...{ model, recordId }}
        {...(onWriting ? { onWriting } : {})}
      />
    </>
  );
}
