import type { Loaded } from '@kontor/addon';

export const customerPaths = [
  'email',
  'phone',
  'is_company',
  'name',
  'parent_id.name',
  'street',
  'zip',
  'city',
  'country_id.id',
  'website',
] as const;

/** What a lead takes over from its customer; undefined leaves what is there. */
export function fromCustomer(customer: Loaded<'core.partner', (typeof customerPaths)[number]>) {
  return {
    email_from: customer.email ?? undefined,
    phone: customer.phone ?? undefined,
    partner_name: (customer.is_company ? customer.name : customer.parent_id?.name) ?? undefined,
    contact_name: customer.is_company ? undefined : customer.name,
    street: customer.street ?? undefined,
    zip: customer.zip ?? undefined,
    city: customer.city ?? undefined,
    country_id: customer.country_id?.id,
    website: customer.website ?? undefined,
  };
}
