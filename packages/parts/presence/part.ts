import { definePart } from '@kontor/kernel';
import { sysPresence } from './presence.ts';

/** Who has which record open. */
export const presencePart = definePart({
  name: 'presence',
  models: [sysPresence],
  expires: { clean_events: [{ model: 'sys.presence', column: 'seen_at', age: '1 hour' }] },
});
