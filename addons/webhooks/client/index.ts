import { defineClient } from '@kontor/client';
import { deliveriesField } from './deliveries.tsx';
import { fieldsField } from './fields.tsx';
import { modelField } from './model.tsx';
import { secretField } from './secret.tsx';

export default defineClient({ fields: [modelField, fieldsField, secretField, deliveriesField] });
