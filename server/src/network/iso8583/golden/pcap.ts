/**
 * A capture file in which each of the given payloads is one TCP segment of one connection, as
 * another program would have seen it on the wire.
 */
export function capture(payloads: readonly Buffer[], port: number): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(LINK_TYPE_IPV4, 20);

  const packets: Buffer[] = [];
  let sequence = 1;
  for (const payload of payloads) {
    packets.push(record(ipv4(tcp(payload, port, sequence))));
    sequence += payload.length;
  }
  return Buffer.concat([header, ...packets]);
}

const LINK_TYPE_IPV4 = 228;

function record(packet: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(packet.length, 8);
  header.writeUInt32LE(packet.length, 12);
  return Buffer.concat([header, packet]);
}

/** Checksums stay zero: who reads captures does not check them unless told to. */
function ipv4(segment: Buffer): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt8(0x45, 0);
  header.writeUInt16BE(header.length + segment.length, 2);
  header.writeUInt8(64, 8);
  header.writeUInt8(6, 9);
  header.set([127, 0, 0, 1], 12);
  header.set([127, 0, 0, 2], 16);
  return Buffer.concat([header, segment]);
}

function tcp(payload: Buffer, port: number, sequence: number): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16BE(50_000, 0);
  header.writeUInt16BE(port, 2);
  header.writeUInt32BE(sequence, 4);
  header.writeUInt32BE(1, 8);
  header.writeUInt8(0x50, 12);
  header.writeUInt8(0x18, 13);
  header.writeUInt16BE(65_535, 14);
  return Buffer.concat([header, payload]);
}
