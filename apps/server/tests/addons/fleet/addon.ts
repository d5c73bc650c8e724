import { defineAddon } from '@kontor/addon';
import { remindOfInspections } from './jobs.ts';
import { fleetAssignment, fleetDriver, fleetLicence } from './models/people.ts';
import { fleetPart, fleetService, fleetServiceLine, fleetSupplier } from './models/service.ts';
import { fleetDamage, fleetDepot, fleetFuel, fleetInspection, fleetOdometer, fleetTag } from './models/use.ts';
import { fleetBrand, fleetType, fleetVehicle } from './models/vehicle.ts';

export default defineAddon({
  models: [
    ...[fleetBrand, fleetType, fleetVehicle, fleetTag, fleetDepot, fleetOdometer, fleetFuel, fleetDamage],
    ...[fleetInspection, fleetDriver, fleetLicence, fleetAssignment, fleetPart, fleetSupplier, fleetService],
    fleetServiceLine,
  ],
  jobs: [{ name: 'remind', run: remindOfInspections }],
});
