# mluop run: case files that pass, fail or cannot be read, single files and directories.
set -eu
. tests/program/drive_mluop.sh
rows=$WORK/rows.json cases=tests/cases

# only_progress FILE: nothing but lines of progress, such as "[0:03] 2/21 carafe_forward".
only_progress() {
  if grep -v '^\[[0-9:]*\] [0-9]*/[0-9]* ' "$1"; then
    echo "unexpected lines on stderr"
    exit 1
  fi
}

# refuses_file LINE FILE: a file that cannot be read.
refuses_file() {
  refuses_with "$1" run "$2"
}

run 0 run --help
prints "$out" "FILE|DIR..." --json --timeout --allow-outside case-files.md

# All good files: a line and a row for each output, nothing on stderr.
run 0 run "$cases/good" --json "$rows"
only_progress "$err"
for op in get_indice_pairs indice_convolution_forward indice_convolution_backward_data \
  indice_convolution_backward_filter carafe_forward carafe_backward roiaware_pool3d_forward \
  roiaware_pool3d_backward rotated_feature_align_forward rotated_feature_align_backward points_in_boxes \
  voxelization dynamic_point_to_voxel_forward dynamic_point_to_voxel_backward box_iou_rotated nms_rotated; do
  grep -qx "$op" "$out"
done
files=$(find "$cases/good" -name '*.prototxt' | wc -l)
prints "$out" diff1 threshold grad_mask bfloat16 double "passed, empty" \
  "1 of the files name no thresholds" "$files cases passed, 0 failed"
outputs=$(cat $(find "$cases/good" -name '*.prototxt') | grep -c '^output {')
[ "$(grep -c '^  {' "$rows")" -eq "$outputs" ]
[ "$(grep -c '"passed": true' "$rows")" -eq "$outputs" ]
prints "$rows" '"op": "carafe_backward"' '"output": "grad_mask"' '"diff1": ' '"diff1_threshold": 0.003'

# The same as binary files, written by protoc.
mkdir "$WORK/binary"
for op in carafe_backward get_indice_pairs roiaware_pool3d_backward; do
  for file in "$cases/good/$op"/*.prototxt; do
    protoc --proto_path=src/casefile --encode=mluoptest.Node mlu_op_test.proto <"$file" \
      >"$WORK/binary/$op-$(basename "$file" .prototxt).pb"
  done
done
run 0 run "$WORK/binary"
prints "$out" get_indice_pairs-sub_m.pb "6 cases passed, 0 failed"

# Files and directories together, with several numbers of threads.
MLUOP_NUM_THREADS=3
export MLUOP_NUM_THREADS
run 0 run "$cases/good/carafe_forward/case_0.prototxt" "$cases/good/get_indice_pairs"
prints "$out" "4 cases passed, 0 failed"
unset MLUOP_NUM_THREADS

# Wrong results and failing calls: the case fails and gives the reason.
run 1 run "$cases/failing" "$cases/good/carafe_forward/case_0.prototxt" --json "$rows"
only_progress "$err"
prints "$out" "1 cases passed, 2 failed" \
  "FAILED $cases/failing/other_baseline.prototxt: output: diff1" \
  "at position 3: got 12, expected 13" \
  "FAILED $cases/failing/refused.prototxt: MLUOP_STATUS_BAD_PARAM: mluOpSetCarafeDescriptor: kernel_size must be odd, got 2"
prints "$rows" '"passed": false' '"problem": "MLUOP_STATUS_BAD_PARAM'

# The card has no double and no bfloat16.
MLUOP_LIMITS=mlu
export MLUOP_LIMITS
run 1 run "$cases/good/carafe_forward"
prints "$out" "double.prototxt: MLUOP_STATUS_BAD_PARAM" "3 cases passed, 2 failed"
unset MLUOP_LIMITS

# Files that cannot be read: one line each with line or field.
refuses_file "$cases/bad/count.prototxt:24: input[1].value_f: has 3 values, the shape needs 2" \
  "$cases/bad/count.prototxt"
refuses_file "$cases/bad/field.prototxt:39:9: Message type \"mluoptest.CarafeParam\" has no field named \"kernel\"." \
  "$cases/bad/field.prototxt"
lacks="is an operator of MLU-OPS that this library does not have; mluop list shows those that it has"
refuses_file "$cases/bad/operator.prototxt:1: op_name: 'abs' $lacks" "$cases/bad/operator.prototxt"
refuses_file "$cases/bad/foreign.prototxt:1: op_name: 'poly_nms' $lacks" "$cases/bad/foreign.prototxt"
sed 's/poly_nms/carafe_forwrd/' "$cases/bad/foreign.prototxt" >"$WORK/misspelt.prototxt"
refuses_file "$WORK/misspelt.prototxt:1: op_name: no operator of this library or of MLU-OPS 1.11.1 is called 'carafe_forwrd'; did you mean 'carafe_forward'?" \
  "$WORK/misspelt.prototxt"
echo 'op_name: "points_in_boxes_all"' >"$WORK/extension.prototxt"
refuses_file "$WORK/extension.prototxt: op_name: 'points_in_boxes_all' is an extension of this library, which case files do not describe" \
  "$WORK/extension.prototxt"
refuses_file "$cases/bad/thresholds.prototxt:46: test_param.error_threshold: has 1 entries for the 2 of error_func" \
  "$cases/bad/thresholds.prototxt"
refuses_file "$WORK/none.pb: cannot be read: No such file or directory" "$WORK/none.pb"
refuses_file "tests/program/run.sh: is neither .prototxt nor .pb" tests/program/run.sh
mkdir "$WORK/empty"
refuses_file "$WORK/empty: holds no case files (*.prototxt, *.pb)" "$WORK/empty"
printf 'no message' >"$WORK/noise.pb"
refuses_file "$WORK/noise.pb: is not a binary case file, or is cut short" "$WORK/noise.pb"

# The other files still run.
run 2 run "$cases/bad" "$cases/good/carafe_forward"
[ "$(grep -c '^mluop: ' "$err")" -eq 5 ]
prints "$out" "5 cases passed, 0 failed"
run 2 run "$cases/bad" "$cases/failing"
prints "$out" "0 cases passed, 2 failed"

run 2 run
prints "$err" "paths is required"
run 2 run "$cases/good" --json "$WORK/no/such/rows.json"
prints "$err" "cannot write '$WORK/no/such/rows.json': No such file"

# Files that are not regular are rejected without opening them, and the others still run: loops of links,
# FIFOs, devices, directories with the name of a case.
mkdir -p "$WORK/odd/sub"
cp "$cases/good/carafe_forward/case_0.prototxt" "$WORK/odd/good.prototxt"
ln -s good.prototxt "$WORK/odd/link.prototxt"
ln -s loop.prototxt "$WORK/odd/loop.prototxt"
ln -s nowhere "$WORK/odd/dangling.pb"
ln -s .. "$WORK/odd/sub/up"
ln -s /dev/zero "$WORK/odd/zero.pb"
mkfifo "$WORK/odd/sub/fifo.pb"
mkdir "$WORK/odd/folder.pb"
run 2 run "$WORK/odd" --timeout 0
prints "$out" "2 cases passed, 0 failed"
prints "$err" "odd/loop.prototxt: cannot be read: Too many levels of symbolic links" \
  "odd/dangling.pb: cannot be read: No such file or directory" \
  "odd/zero.pb: cannot be read: it is a device, not a regular file" \
  "odd/sub/fifo.pb: cannot be read: it is a FIFO, not a regular file" \
  "odd/folder.pb: cannot be read: it is a directory, not a regular file"
[ "$(grep -c '^mluop: ' "$err")" -eq 5 ]

# big_case DIMS DATA: a case whose input and output have these dims and whose input has this data.
big_case() {
  echo "op_name: 'carafe_forward'
input { id: 'input' shape { dims: $1 } layout: LAYOUT_NHWC dtype: DTYPE_FLOAT $2 }
input { id: 'mask' shape { dims: [1, 1, 2, 1] } layout: LAYOUT_NHWC dtype: DTYPE_FLOAT value_f: [2, 3] }
output { id: 'output' shape { dims: $1 } layout: LAYOUT_NHWC dtype: DTYPE_FLOAT }
carafe_param { dimnb: 4 kernel_size: 1 group_size: 1 scale_factor: 1 }
test_param { error_func: DIFF1 error_threshold: 1e-3 }"
}

# Data must be below the directory of the case unless --allow-outside is given.
mkdir "$WORK/home"
printf '0123456789abcdef' >"$WORK/outside.bin"
ln -s ../outside.bin "$WORK/home/link.bin"
for path in ../outside.bin link.bin "$WORK/outside.bin"; do
  big_case "[1, 1, 2, 2]" "path: '$path'" >"$WORK/home/case.prototxt"
  refuses_file "$WORK/home/case.prototxt:2: input[0].path: '$path' lies outside the directory of the case file, which only --allow-outside permits" \
    "$WORK/home/case.prototxt"
  run 0 run "$WORK/home/case.prototxt" --allow-outside
done
mkfifo "$WORK/home/fifo.bin"
big_case "[1, 1, 2, 2]" "path: 'fifo.bin'" >"$WORK/home/case.prototxt"
refuses_file "$WORK/home/case.prototxt:2: input[0].path: cannot read '$WORK/home/fifo.bin': it is a FIFO, not a regular file" \
  "$WORK/home/case.prototxt"

# Tensors of 2^40 elements are rejected before allocation; so are small ones if memory is limited.
mkdir "$WORK/big"
big_case "[1, 1048576, 1048576, 1]" "random_data { lower_bound: 0 upper_bound: 1 }" \
  >"$WORK/big/big.prototxt"
run 2 run "$WORK/big" "$WORK/odd/good.prototxt"
prints "$out" "1 cases passed, 0 failed"
prints "$err" "big.prototxt:4: output[0].shape: is the largest of the tensors, which together need 83886081 MiB of memory; " \
  " MiB are available"
big_case "[1, 2048, 2048, 8]" "random_data { lower_bound: 0 upper_bound: 1 }" >"$WORK/big/big.prototxt"
(ulimit -v 2000000 && run 2 run "$WORK/big" "$WORK/odd/good.prototxt")
prints "$out" "1 cases passed, 0 failed"
prints "$err" "together need 2561 MiB of memory; "

# A case that times out does not affect others. Its reference adds 8 billion products in extended precision.
cat >"$WORK/slow.prototxt" <<END
op_name: "carafe_forward"
input { id: "input" shape { dims: [1, 64, 64, 1024] } layout: LAYOUT_NHWC dtype: DTYPE_DOUBLE
        random_data { lower_bound: -1 upper_bound: 1 } }
input { id: "mask" shape { dims: [1, 64, 64, 2025] } layout: LAYOUT_NHWC dtype: DTYPE_DOUBLE
        random_data { lower_bound: -1 upper_bound: 1 } }
output { id: "output" shape { dims: [1, 64, 64, 1024] } layout: LAYOUT_NHWC dtype: DTYPE_DOUBLE }
carafe_param { dimnb: 4 kernel_size: 45 group_size: 1 scale_factor: 1 }
END
run 1 run "$WORK/slow.prototxt" "$cases/good/carafe_forward/case_0.prototxt" --timeout 3 --json "$rows"
only_progress "$err"
prints "$out" "FAILED $WORK/slow.prototxt: took longer than 3 s (--timeout)" "1 cases passed, 1 failed"
prints "$rows" '"passed": false' '"problem": "took longer than 3 s (--timeout)"' '"passed": true'
run 2 run "$cases/good" --timeout -1
prints "$err" --timeout
