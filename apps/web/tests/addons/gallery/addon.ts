import { defineAddon } from '@kontor/addon';
import { galleryArtist } from './models/artist.ts';
import { galleryLoan } from './models/loan.ts';
import { galleryPart } from './models/part.ts';
import { galleryPiece } from './models/piece.ts';
import { galleryRoom } from './models/room.ts';
import { gallerySample } from './models/sample.ts';
import { galleryStep } from './models/step.ts';
import { galleryTag } from './models/tag.ts';
import { galleryVisit } from './models/visit.ts';

export default defineAddon({
  models: [
    galleryRoom,
    galleryTag,
    galleryArtist,
    galleryPiece,
    galleryPart,
    galleryVisit,
    gallerySample,
    galleryStep,
    galleryLoan,
  ],
});
