import { defineClient } from '@kontor/client';
import { keyField } from './key.tsx';
import { modelField } from './model.tsx';
import { runsField } from './runs.tsx';
import { stepsField } from './steps.tsx';
import { trialField } from './trial.tsx';
import { whenField } from './when.tsx';

export default defineClient({ fields: [modelField, whenField, stepsField, trialField, runsField, keyField] });
