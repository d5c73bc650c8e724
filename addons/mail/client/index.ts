import { defineClient } from '@kontor/client';
import { fieldsInText } from './fields-in-text.tsx';
import { inboxView } from './inbox.tsx';
import { modelField } from './model-field.tsx';

export default defineClient({ views: [inboxView], fields: [modelField, fieldsInText] });
