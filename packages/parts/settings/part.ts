import { definePart } from '@kontor/kernel';
import { sysSequence } from '@kontor/orm';
import { sysConfigParameter } from './config-parameter.ts';

/** What administrators set for the whole installation. */
export const settingsPart = definePart({ name: 'settings', models: [sysSequence, sysConfigParameter] });
