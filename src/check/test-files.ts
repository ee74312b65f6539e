/** The EICAR test file, which every scanner reports. In two pieces, because scanners would report this file too. */
export const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD'.concat('-ANTIVIRUS-TEST-FILE!$H+H*'));

/** The EICAR test file as `eicar.com` in a zip file, not compressed. */
export const zip = Buffer.concat([
  Buffer.from('UEsDBAoAAAAAAAAAIQA8z1FoRAAAAEQAAAAJAAAAZWljYXIuY29t', 'base64'),
  eicar,
  Buffer.from(
    'UEsBAh4DCgAAAAAAAAAhADzPUWhEAAAARAAAAAkAAAAAAAAAAAAAAKSBAAAAAGVpY2FyLmNvbVBLBQYAAAAAAQABADcAAABrAAAAAAA=',
    'base64',
  ),
]);

/** The same, encrypted with the password `dropline`. */
export const encryptedZip = Buffer.from(
  'UEsDBAoACQAAAAAAIQA8z1FoUAAAAEQAAAAJAAAAZWljYXIuY29tEYyG9BoO9ZUaIe/E/u0Vhy5WBNmmGY0Kd0CC7awMvgunyUVkbKzYXJ+gfGp5' +
    'VJsABcs1pqbr1AQDoSO2B+1rN9m57Iu0gwKPOOQaPg2CJlpQSwcIPM9RaFAAAABEAAAAUEsBAh4DCgAJAAAAAAAhADzPUWhQAAAARAAAAAkAAAAA' +
    'AAAAAAAAAKSBAAAAAGVpY2FyLmNvbVBLBQYAAAAAAQABADcAAACHAAAAAAA=',
  'base64',
);
