import { defineClient } from '@kontor/client';
import { budgetBarField } from './budget-bar.tsx';

export default defineClient({ fields: [budgetBarField] });
