import { definePart } from '@kontor/kernel';
import { sysConfigParameter } from './config-parameter.ts';
import { sysSequence } from './sequence.ts';

/** What administrators set for the whole installation. */
export const settingsPart = definePart({ name: 'settings', models: [sysSequence, sysConfigParameter] });
