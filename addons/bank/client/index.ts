import { defineClient } from '@kontor/client';
import { matchingView } from './matching.tsx';

export default defineClient({ views: [matchingView] });
