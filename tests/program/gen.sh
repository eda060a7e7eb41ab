# mluop gen: its files run and pass, and invalid arguments give one line of error.
set -eu
. tests/program/drive_mluop.sh
cases=$WORK/cases

# refuses SENTENCE ARGUMENT…: exactly this line, and no file.
refuses() {
  sentence=$1
  shift
  refuses_with "$sentence" gen "$@" --out "$WORK/refused"
}

run 0 gen --help
prints "$out" --shape --suite --count --seed --data --out "channels, a multiple of g" "sample points per box"

# Explicit sizes.
shape=n=2,h=10,w=12,c=64,k=5,g=1,s=2
run 0 gen carafe_forward --shape $shape --dtype half --seed 7 --out "$cases"
prints "$out" "1 case of 1 operator in $cases"
file=$cases/carafe_forward/n2_h10_w12_c64_k5_g1_s2_seed7_half.prototxt
grep -qx '    dims: 12' "$file"
grep -qx '  dtype: DTYPE_HALF' "$file"
run 0 gen get_indice_pairs --shape batch=2,sites=300,d=40,h=200,w=200,stride=2,scan=1 --out "$cases"
run 0 gen indice_convolution_backward_data --shape sub_m=1,sites=200,ci=7,co=9 --dtype all --out "$cases"
run 0 gen roiaware_pool3d_forward --shape boxes=3,points=100,average=1 --out "$cases"
run 0 gen rotated_feature_align_backward --shape h=5,w=7,points=1,scale=0.3 --out "$cases"
run 0 gen points_in_boxes --shape batch=2,points=300,boxes=9 --dtype all --out "$cases"
run 0 gen dynamic_point_to_voxel_backward --shape points=200,c=7,side=4,reduce=1 --out "$cases"
run 0 run "$cases"
prints "$out" "13 cases passed, 0 failed"

# The same seed writes the same file, another seed a different one.
cp "$file" "$WORK/first"
run 0 gen carafe_forward --shape $shape --dtype half --seed 7 --out "$cases"
cmp "$file" "$WORK/first"
run 0 gen carafe_forward --shape $shape --dtype half --seed 8 --out "$cases"
if cmp -s "$cases/carafe_forward/n2_h10_w12_c64_k5_g1_s2_seed8_half.prototxt" "$WORK/first"; then
  echo "the seed does not matter"
  exit 1
fi

# Suites: network cases with scanned sites, edge cases, and random sizes of every operator.
run 0 gen --suite network --op get_indice_pairs --case centerpoint_extra --out "$WORK/network"
run 0 gen --suite network --op rotated_feature_align_forward --case p5_4x4x30,p1_4x40x30 --dtype float,half \
  --out "$WORK/network"
grep -q 'path: "centerpoint_extra_int32_data0_input"' "$WORK"/network/get_indice_pairs/*.prototxt
run 0 run "$WORK/network"
prints "$out" "5 cases passed, 0 failed"
run 0 gen --suite edge --op rotated_feature_align_forward,get_indice_pairs --dtype half,int32 --out "$WORK/edge"
run 0 run "$WORK/edge"
prints "$out" " 0 failed"
run 0 gen --suite edge --op all --dtype int32 --out "$WORK/edge_all"
prints "$out" " of 1 operator in"
for data in auto all shapes; do
  run 0 gen --suite random --op all --count 2 --seed 5 --data $data --out "$WORK/random_$data"
  prints "$out" "146 cases of 19 operators" # 18 operators with 4 dtypes and one with 1, twice each; no extensions
  run 0 run "$WORK/random_$data"
  prints "$out" "146 cases passed, 0 failed"
done
[ "$(grep -l value_h "$WORK"/random_all/*/*.prototxt | wc -l)" -ge 60 ]
# Random boxes and grids would name images and cells that there are not, so these have data in any case.
if grep -l value_h "$WORK"/random_shapes/*/*.prototxt | grep -vE '/(roi_align_(for|back)ward|voxelization)/'; then
  echo "shapes have data"
  exit 1
fi

# Extensions of this library have no case files.
extension="is an extension of this library, which case files do not describe"
refuses "'points_in_boxes_part' $extension" points_in_boxes_part
refuses "'points_in_boxes_all' $extension" points_in_boxes_all --shape points=5
refuses "'points_in_boxes_all' $extension" --suite random --op points_in_boxes,points_in_boxes_all

refuses "unknown size 'q'; known: n, h, w, c, k, g, s" carafe_forward --shape q=1
refuses "size n must be a whole number from 1 to 65536, got '0'" carafe_forward --shape n=0
refuses "size h must be a whole number from 1 to 65536, got 'ten'" carafe_forward --shape h=ten
refuses "sizes are written name=value, got 'n'" carafe_forward --shape n
refuses "size n is given twice" carafe_forward --shape n=1,n=2
refuses "carafe_forward c5_g2_seed1_float: mluOpCarafeForward: input dim 3 must be a multiple of 2, got 5" \
  carafe_forward --shape c=5,g=2
refuses "sub_m=1 needs stride=1 and an odd k" get_indice_pairs --shape sub_m=1,stride=2
refuses "there are more sites than cells in the space" get_indice_pairs --shape sites=9,d=2,h=2,w=2
refuses "the kernel does not fit into the space" get_indice_pairs --shape sites=1,d=2,h=2,w=2,k=5,pad=0
refuses "unknown dtype 'half'; known: all, int32" get_indice_pairs --dtype half
refuses "unknown dtype 'flaot'; did you mean 'float'?" carafe_forward --dtype float,flaot
refuses "unknown dtype 'flaot'; did you mean 'float'?" --suite random --dtype flaot
refuses "unknown dtype 'int32'; known: all, float, half, double, bfloat16" \
  --suite random --op carafe_forward --dtype int32
refuses "--case chooses from the suites network and edge; random cases have no names" \
  --suite random --case nonsense
refuses "no case matches this combination of options" --suite edge --case fpn_p3
refuses "'indice_maxpool_forward' $extension" indice_maxpool_forward
refuses "'indice_maxpool_forward' $extension" --suite random --op carafe_forward,indice_maxpool_forward
for suite in network edge random; do
  run 2 gen --suite $suite --op nonsense --out "$WORK/refused"
  grep -qF "mluop: unknown operator 'nonsense'; known: all, get_indice_pairs" "$err"
done
refuses "gen needs an operator, or else --suite network, edge or random"
refuses "gen needs an operator, or else --suite network, edge or random" carafe_forward --suite edge
refuses "--shape belongs to an operator: mluop gen OP --shape ..." --suite edge --shape n=1
refuses "--op and --case choose from a suite; gen OP has neither" carafe_forward --case nan
test ! -e "$WORK/refused" || find "$WORK/refused" -type f | { ! grep .; }
run 2 gen carafe_forward --out "$file"
grep -qF "mluop: cannot create '$file/carafe_forward': Not a directory" "$err"
run 2 gen nonsense
grep -qF "mluop: unknown operator 'nonsense'; known: get_indice_pairs" "$err"
run 2 gen --suite all
grep -qF "mluop: --suite: all not in {network,edge,random}" "$err"
