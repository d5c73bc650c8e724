import { defineClient } from '@kontor/client';
import { inboxView } from './inbox.tsx';

export default defineClient({ views: [inboxView] });
