-- Deliveries are claimed as rows of a queue; the column of before is out of use, and so is its index.
drop index if exists webhook_delivery_claimed_until_idx;
